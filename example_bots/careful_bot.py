"""Ten lines that beat chance: order up with three trumps, take tricks as cheaply as possible."""

from euchre_sdk import Action, Kind, View


class Careful:
    """Asks what is to be decided, and has an idea for two of the seven kinds."""

    def act(self, view: View) -> Action:
        """Return one of `view.legal`."""
        match view.kind:
            case Kind.ORDER_UP if not view.turn_up.is_joker:
                trump = view.turn_up.suit
                trumps = [card for card in view.hand if card.effective_suit(trump) is trump]
                return Action.ORDER_UP if len(trumps) >= 3 else Action.PASS
            case Kind.PLAY:
                winning = [card for card in view.legal_cards if view.beats(card)]
                return min(winning or view.legal_cards, key=view.strength)
            case _:
                # Pass, decline, keep the first five of ten … Start here to make it better:
                # `view.pool` holds the ten cards of Kind.KEEP_FIVE.
                return view.legal[0]
