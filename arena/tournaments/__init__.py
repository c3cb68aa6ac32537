"""Running tournaments: who meets whom and when, what is stored, and what follows from it."""
