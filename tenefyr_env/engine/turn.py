"""The game from dungeon to dungeon, in the order of the rulebook: one function for each phase.

A phase either asks for a choice, or does its part and names the phase that follows.
"""

from tenefyr_env.cards.vocabulary import Boost, Filter, Kind, Pile, Span, Trigger
from tenefyr_env.engine.actions import (
    CONTINUE,
    FIRST_CARD,
    FIRST_DUNGEON,
    FIRST_OPTION,
    KEEP,
    LEAVE,
    REDRAW,
)
from tenefyr_env.engine.combat import (
    active_seat,
    enemy_power,
    hand_size_of_turn,
    has_effect,
    is_enemy_beaten,
    lay_down,
)
from tenefyr_env.engine.decisions import (
    ask,
    ask_together,
    has_answer,
    offer,
    offer_cards,
    offer_options,
    offer_player,
    take_answer,
    take_player_answer,
)
from tenefyr_env.engine.dungeons import (
    enemy,
    has_enemies,
    is_fighting_boss,
    take_enemy,
    turn_up,
)
from tenefyr_env.engine.effects import count_played_skill
from tenefyr_env.engine.frames import push_frame, push_trigger
from tenefyr_env.engine.jit import jit
from tenefyr_env.engine.log import note
from tenefyr_env.engine.piles import (
    discard_hand,
    draw,
    move_all,
    put,
    shuffle_deck,
    take_from_reserve,
    take_out,
)
from tenefyr_env.engine.seats import clockwise, next_seat
from tenefyr_env.engine.state import (
    BOSS_DECK,
    NO_CARD,
    NO_DUNGEON,
    NO_REWARD,
    NOBODY,
    NUM_DUNGEONS,
    PARTY,
    Decision,
    Event,
    Leaving,
    Outcome,
    Phase,
)
from tenefyr_env.engine.track import advance_token, use_saved_steps

NUM_BOOSTS = len(Boost)

# Choosing a dungeon


@jit
def choose_dungeon(state):
    """The party chooses any dungeon that still has a card, or the boss (R18, R19)."""
    if not has_answer(state):
        ask_together(state, Decision.DUNGEON, NO_CARD)
        for dungeon in range(NUM_DUNGEONS):
            if has_enemies(state, dungeon):
                offer(state, FIRST_DUNGEON + dungeon)
        return
    enter(state, take_answer(state) - FIRST_DUNGEON)


@jit
def enter(state, dungeon):
    """The party stands before the first enemy of a dungeon."""
    state.dungeon = dungeon
    begin_boost(state, Span.DUNGEON)
    if is_fighting_boss(state):
        note(state, Event.BOSS, NOBODY, NO_CARD, 0)
    else:
        state.entered[state.dungeon_level[dungeon] - 1] += 1
        note(state, Event.ENTER, NOBODY, NO_CARD, dungeon)
    state.phase = Phase.START_COMBAT


# Combat


@jit
def start_combat(state, cards):
    """The top enemy is turned up; its start-of-combat effects come before any turn (R21)."""
    turn_up(state, state.dungeon)
    state.turn = 0
    state.has_moved = 0
    state.redraws_now = 0
    state.enemy_bonus = 0
    begin_boost(state, Span.COMBAT)
    state.party_power = (
        state.boost_now[Boost.POWER, Span.COMBAT] + state.boost_now[Boost.POWER, Span.DUNGEON]
    )
    note(state, Event.FIGHT, NOBODY, enemy(state), enemy_power(state, cards))
    push_trigger(state, cards, enemy(state), Trigger.START, state.starter)
    state.phase = Phase.START_TURN


@jit
def start_turn(state, cards):
    """The next player's turn (R22), unless the enemy has gone (R51)."""
    if state.has_moved:
        put_off_boost(state)
        clear_table(state)
        state.phase = Phase.AFTER_COMBAT
        return
    seat = active_seat(state)
    state.has_deathstrike = 0
    note(state, Event.TURN, seat, NO_CARD, 0)
    push_trigger(state, cards, enemy(state), Trigger.TURN, seat)
    state.phase = Phase.DRAW


@jit
def draw_step(state, cards):
    """Draw a hand; with fewer cards in the deck, draw them all (R23)."""
    seat = active_seat(state)
    draw(state, seat, hand_size_of_turn(state, cards, seat))
    state.phase = Phase.KEEP


@jit
def keep_or_redraw(state, cards):
    """Keep the hand, or discard all of it and draw a new one (R24)."""
    seat = active_seat(state)
    if state.pile_size[seat, Pile.HAND] == 0:  # exhausted (R29)
        begin_play(state, seat)
        return
    if not has_answer(state):
        ask(state, Decision.KEEP, seat, NO_CARD)
        offer(state, KEEP)
        if state.pile_size[seat, Pile.DECK] > 0 and not cards.no_redraw[enemy(state)]:
            offer(state, REDRAW)
        return
    if take_answer(state) == KEEP:
        note(state, Event.KEEP, seat, NO_CARD, 0)
        begin_play(state, seat)
        return
    note(state, Event.REDRAW, seat, NO_CARD, 0)
    state.redraws[seat] += 1
    state.redraws_now += 1
    discard_hand(state, seat)
    push_trigger(state, cards, enemy(state), Trigger.REDRAW, seat)
    state.phase = Phase.DRAW


@jit
def begin_play(state, seat):
    """The draw step is over, and what changed its hand size is used up."""
    state.hand_bonus[seat] = 0
    state.phase = Phase.PLAY


@jit
def play_step(state, cards):
    """Every card in hand must be played, one at a time, in an order of choice (R25)."""
    seat = active_seat(state)
    if state.pile_size[seat, Pile.HAND] == 0:
        state.phase = Phase.END_TURN
        return
    if not has_answer(state):
        ask(state, Decision.PLAY, seat, NO_CARD)
        offer_cards(state, cards, seat, Pile.HAND, Filter.ANY)
        return
    play_card(state, cards, seat, take_answer(state) - FIRST_CARD)


@jit
def play_card(state, cards, seat, card):
    """Add the card's power, then resolve its effect before the next is played (R25)."""
    take_out(state, seat, Pile.HAND, card)
    lay_down(state, cards, seat, card)
    if cards.is_deathstrike[card]:
        state.has_deathstrike = 1
    if has_effect(state, cards, seat, card):
        push_trigger(state, cards, card, Trigger.PLAY, seat)
        count_played_skill(state, cards, card)


@jit
def end_turn(state, cards):
    """Compare powers after the whole hand is played (R27)."""
    if is_enemy_beaten(state, cards):
        defeat_enemy(state, cards)
    elif state.turn + 1 < state.num_turns:
        state.turn += 1
        state.phase = Phase.START_TURN
    else:
        lose_combat(state)


@jit
def defeat_enemy(state, cards):
    """At-the-end-of-combat effects happen, then the loot is taken (R30)."""
    card = enemy(state)
    seat = active_seat(state)
    note(state, Event.DEFEAT, seat, card, 0)
    state.combats_won += 1
    if is_fighting_boss(state):
        state.boss_stages += 1
        if cards.kind[card] == Kind.BOSS and state.turn == 0:
            state.beat_boss_in_one_turn = 1
    elif cards.is_lost_goblin[card] and state.dungeon_level[state.dungeon] == 1:
        state.beat_lost_goblin = 1
    push_trigger(state, cards, card, Trigger.END, seat)
    state.phase = Phase.TAKE_LOOT


@jit
def take_loot(state, cards):
    """The player in whose turn the enemy fell takes its loot (R30); bosses have none (R41)."""
    seat = active_seat(state)
    if not state.has_moved:
        card = take_enemy(state, state.dungeon)
        if cards.kind[card] == Kind.BOSS:
            state.out_of_play[card] += 1
        else:
            put(state, seat, Pile.DISCARD, card)
            state.loot_taken[seat] += 1
            note(state, Event.LOOT, seat, card, 0)
    if is_fighting_boss(state) and not has_enemies(state, BOSS_DECK):
        state.finished_with_deathstrike = state.has_deathstrike
    clear_table(state)
    state.phase = Phase.AFTER_COMBAT


@jit
def lose_combat(state):
    """Every player has had a turn and the enemy stands (R28)."""
    note(state, Event.STAND, NOBODY, enemy(state), 0)
    state.combats_lost += 1
    clear_table(state)
    if is_fighting_boss(state):
        finish(state, Outcome.LOST)
    else:
        leave(state, Leaving.THROWN_OUT)


@jit
def clear_table(state):
    """All played cards go to the discard piles and the starting player token passes (R31)."""
    for seat in range(state.players):
        discard_hand(state, seat)  # drawn out of turn (R59)
        for slot in range(state.pile_size[seat, Pile.PLAYED]):
            state.played_power[seat, slot] = 0
        move_all(state, seat, Pile.PLAYED, Pile.DISCARD)
        state.power[seat] = 0
        state.hand_bonus[seat] = 0
    state.turn = 0
    state.party_power = 0
    state.enemy_bonus = 0
    end_boost(state, Span.COMBAT)
    state.starter = next_seat(state, state.starter)


# Temporary advantages


@jit
def begin_boost(state, span):
    """The combat or dungeon that the party's advantage was waiting for begins."""
    for kind in range(NUM_BOOSTS):
        state.boost_now[kind, span] = state.boost[kind, span]
        state.boost[kind, span] = 0


@jit
def end_boost(state, span):
    """The combat or dungeon of an advantage is over."""
    for kind in range(NUM_BOOSTS):
        state.boost_now[kind, span] = 0


@jit
def put_off_boost(state):
    """There was no combat (R51): its advantage waits for the next."""
    for kind in range(NUM_BOOSTS):
        state.boost[kind, Span.COMBAT] += state.boost_now[kind, Span.COMBAT]


# After combat


@jit
def after_combat(state):
    """The party goes on or leaves; before the boss there is no choice (R33, R34, R40)."""
    if not has_enemies(state, state.dungeon):
        leave_empty_dungeon(state)
    elif is_fighting_boss(state):
        state.phase = Phase.START_COMBAT
    elif not has_answer(state):
        ask_together(state, Decision.CONTINUE, NO_CARD)
        offer(state, CONTINUE)
        offer(state, LEAVE)
    elif take_answer(state) == CONTINUE:
        state.phase = Phase.START_COMBAT
    else:
        leave(state, Leaving.LEFT)


@jit
def leave_empty_dungeon(state):
    """The boss is beaten (R42), or the dungeon cleared (R34) unless its last enemy moved (R51)."""
    if is_fighting_boss(state):
        finish(state, Outcome.WON)
    elif state.has_moved:
        leave(state, Leaving.EMPTIED)
    else:
        state.cleared[state.dungeon_level[state.dungeon] - 1] += 1
        leave(state, Leaving.CLEARED)


@jit
def leave(state, leaving):
    """The party is on its way out."""
    state.leaving = leaving
    if leaving == Leaving.LEFT:
        event = Event.LEAVE
    elif leaving == Leaving.THROWN_OUT:
        event = Event.THROWN_OUT
    elif leaving == Leaving.CLEARED:
        event = Event.CLEAR
    else:
        event = Event.EMPTY
    note(state, event, NOBODY, NO_CARD, state.dungeon)
    state.phase = Phase.MOVE_TOKEN


@jit
def move_token(state):
    """The boss token moves 1 step, or 2 when the party was thrown out (R36)."""
    steps = 2 if state.leaving == Leaving.THROWN_OUT else 1
    advance_token(state, use_saved_steps(state, steps))
    state.phase = Phase.HAND_OUT


@jit
def hand_out(state):
    """Quick mode: each space the token moved gives reserve cards, handed out one by one (R55)."""
    if state.gift != NO_CARD:
        hand_out_gift(state)
    elif state.gift_cards > 0:
        state.gift_cards -= 1
        state.gift = take_from_reserve(state, state.gift_level[state.gifts_left])
    elif state.gifts_left > state.steps_left:
        state.gifts_left -= 1
        state.gift_cards = state.gift_count[state.gifts_left]
    else:
        state.phase = Phase.REST


@jit
def hand_out_gift(state):
    """The party chooses who gets the card; it joins the deck with the next shuffle (R55)."""
    if not has_answer(state):
        ask_together(state, Decision.HAND_OUT, state.gift)
        for seat in range(state.players):
            offer_player(state, seat)
        return
    seat = take_player_answer(state, state.starter)
    put(state, seat, Pile.DISCARD, state.gift)
    note(state, Event.TAKE, seat, state.gift, 0)
    state.gift = NO_CARD


@jit
def rest(state):
    """The next enemy is turned up, and all shuffle their discard pile into the deck (R36)."""
    turn_up(state, state.dungeon)
    for seat in range(state.players):
        move_all(state, seat, Pile.DISCARD, Pile.DECK)
        shuffle_deck(state, seat)
    end_boost(state, Span.DUNGEON)
    state.phase = Phase.REWARD


@jit
def take_reward(state, cards):
    """A cleared dungeon's reward: each player chooses one (R37), or all together (R38)."""
    reward = state.reward[state.dungeon]
    if state.leaving != Leaving.CLEARED or reward == NO_REWARD:
        state.phase = Phase.NEXT_DUNGEON
        return
    is_together = cards.reward_together[reward]
    if state.rewards_chosen == (1 if is_together else state.players):
        state.reward[state.dungeon] = NO_REWARD
        state.rewards_chosen = 0
        state.rewards_taken += 1
        state.phase = Phase.NEXT_DUNGEON
        return
    seat = clockwise(state, state.starter, state.rewards_chosen)
    if not has_answer(state):
        ask_reward(state, seat, is_together)
        return
    option = take_answer(state) - FIRST_OPTION
    state.rewards_chosen += 1
    note(state, Event.REWARD, seat, reward, option)
    first = cards.reward_first_row[reward, option]
    source = PARTY if is_together else NO_CARD
    push_frame(state, first, cards.reward_last_row[reward, option], seat, source)


@jit
def ask_reward(state, seat, is_together):
    """Ask for one of the two options of the reward."""
    if is_together:
        ask_together(state, Decision.REWARD, NO_CARD)
    else:
        ask(state, Decision.REWARD, seat, NO_CARD)
    offer_options(state, 2)


@jit
def next_dungeon(state):
    """On to the next dungeon, or the boss attacks when the token has reached the skull (R39)."""
    state.dungeon = NO_DUNGEON
    if state.steps_left == 0:
        enter(state, BOSS_DECK)
    else:
        state.phase = Phase.CHOOSE_DUNGEON


@jit
def finish(state, outcome):
    """Everybody wins or loses together (R42)."""
    state.outcome = outcome
    state.decision = Decision.NONE
    state.decider = NOBODY
    note(state, Event.WON if outcome == Outcome.WON else Event.LOST, NOBODY, NO_CARD, 0)
