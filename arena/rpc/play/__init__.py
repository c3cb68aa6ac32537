"""The play service: `service` is its heart, `link` a bot's connection, `tables` who plays whom."""
