"""The interpreter of card effects: one row at a time, one small function for each verb.

A verb is given its row of the card table and the player it is for ("you" on the card), and
returns how many rows to go on: `WAIT` when it has asked for a choice (it runs again with the
answer), `DONE` for the next row, more to skip a block.
"""

from tenefyr_env.cards.table import JUMP, OPTIONAL, VERB, WHAT, WHERE, WHO, N
from tenefyr_env.cards.vocabulary import Boost, Condition, From, Kind, Pile, Trigger, Verb, Who
from tenefyr_env.engine.actions import DECLINE, FIRST_CARD, FIRST_DUNGEON, FIRST_OPTION, USE
from tenefyr_env.engine.combat import (
    active_seat,
    add_power,
    count_of,
    double_played,
    enemy_modifier,
    is_hero,
    set_power,
    within,
)
from tenefyr_env.engine.decisions import (
    ask,
    ask_together,
    has_answer,
    offer,
    offer_cards_from,
    offer_options,
    offer_player,
    take_answer,
    take_card_answer,
    take_player_answer,
)
from tenefyr_env.engine.dungeons import (
    current_level,
    has_enemies,
    is_fighting_boss,
    look_into,
    new_dungeon,
    num_face_down,
    other_dungeon_with_enemies,
    place_under_enemy,
    put_face_up,
    take_enemy,
)
from tenefyr_env.engine.frames import (
    forget,
    is_party_effect,
    pop_frame,
    push_frame,
    recall,
    remember,
    source_card,
)
from tenefyr_env.engine.jit import jit
from tenefyr_env.engine.log import note
from tenefyr_env.engine.piles import (
    discard,
    discard_hand,
    discard_top,
    draw,
    num_matching,
    receive,
    remove_from_game,
    shuffle_deck,
    take_from_reserve,
    take_out,
    take_out_of,
)
from tenefyr_env.engine.rng import below
from tenefyr_env.engine.seats import clockwise, next_seat
from tenefyr_env.engine.state import (
    BOSS_DECK,
    MAX_POWER,
    NO_CARD,
    NOBODY,
    NUM_DUNGEONS,
    Decision,
    Event,
)
from tenefyr_env.engine.track import advance_token

WAIT = 0
DONE = 1
IN_HAND = int(From.HAND)
IN_DECK = int(From.DECK)
IN_DISCARD = int(From.DISCARD)
ENEMY_FIRST = 1  # the option of R49 in which the enemy's rule applies before the card's


@jit
def resolve_next_row(state, cards):
    """Do the next row of the effect on top of the stack."""
    frame = state.num_frames - 1
    position = state.frame_row[frame]
    if position >= state.frame_last[frame]:
        pop_frame(state)
        return
    # A verb may push frames above this one, so the row count goes by the frame's own place.
    state.frame_row[frame] += do_row(state, cards, position, state.frame_seat[frame])


@jit
def do_row(state, cards, position, seat):
    """Do the row's verb; returns how many rows to go on."""
    row = cards.rows[position]
    verb = row[VERB]
    if verb <= Verb.OPTION:
        return do_block(state, cards, row, position, seat)
    if verb <= Verb.ENEMY:
        return do_power(state, cards, row, seat)
    if verb <= Verb.TAKE:
        return do_cards(state, cards, row, seat)
    return do_table(state, cards, row, seat)


@jit
def do_block(state, cards, row, position, seat):
    """The verbs that lead a block of rows."""
    verb = row[VERB]
    if verb == Verb.WITH:
        return with_players(state, cards, row, position, seat)
    if verb == Verb.MAY:
        return may(state, cards, row, position, seat)
    if verb == Verb.PAY:
        return pay(state, cards, row, position, seat)
    if verb == Verb.IF:
        return run_if(state, cards, row, position, seat)
    if verb == Verb.CHOOSE:
        return choose_branch(state, cards, row, position, seat)
    return chance_branch(state, cards, row, position, seat)


@jit
def do_power(state, cards, row, seat):
    """The verbs about power."""
    verb = row[VERB]
    if verb == Verb.POWER:
        add_power(state, seat, row[N])
    elif verb == Verb.POWER_PER:
        add_power(state, seat, row[N] * count_of(state, cards, row[WHAT], seat))
    elif verb == Verb.DOUBLE_CARD:
        return double_card(state, cards, seat)
    elif verb == Verb.DOUBLE_TOTAL:
        set_power(state, seat, 2 * int(state.power[seat]))
        note(state, Event.DOUBLE_TOTAL, seat, NO_CARD, state.power[seat])
    else:
        state.enemy_bonus = within(int(state.enemy_bonus) + row[N], MAX_POWER)
        note(state, Event.ENEMY_POWER, NOBODY, NO_CARD, row[N])
    return DONE


@jit
def do_cards(state, cards, row, seat):
    """The verbs about a player's cards."""
    verb = row[VERB]
    if verb == Verb.DRAW:
        draw(state, seat, row[N])
    elif verb == Verb.HAND_SIZE:
        state.hand_bonus[seat] += row[N]
        note(state, Event.HAND_SIZE, seat, NO_CARD, row[N])
    elif verb == Verb.DISCARD_DECK:
        discard_top(state, seat, row[N])
    elif verb == Verb.DISCARD:
        return discard_chosen(state, cards, row, seat)
    elif verb == Verb.DISCARD_HAND:
        discard_hand(state, seat)
    elif verb == Verb.SEARCH:
        return search(state, cards, row, seat)
    elif verb == Verb.RETURN:
        return bring_back(state, cards, row, seat, Decision.RETURN, Pile.HAND, Event.RETURN)
    elif verb == Verb.RECOVER:
        return bring_back(state, cards, row, seat, Decision.RECOVER, Pile.DECK, Event.RECOVER)
    elif verb == Verb.REMOVE:
        return remove(state, cards, row, seat)
    elif verb == Verb.GIVE:
        return give(state, cards, row, seat)
    elif verb == Verb.SWAP:
        return swap(state, cards, row, seat)
    else:
        take(state, row, seat)
    return DONE


@jit
def do_table(state, cards, row, seat):
    """The verbs about dungeons, the boss track and the party."""
    verb = row[VERB]
    if verb == Verb.LOOK:
        look_into(state, seat, state.dungeon, row[N])
    elif verb == Verb.SCOUT:
        return scout(state, row, seat)
    elif verb == Verb.REORDER:
        return reorder(state, seat)
    elif verb == Verb.MOVE:
        return move_enemy(state, cards)
    elif verb == Verb.JOIN:
        join_boss(state, row)
    elif verb == Verb.TRACK:
        if not is_fighting_boss(state):
            advance_token(state, row[N])
    elif verb == Verb.SAVE_STEP:
        state.saved_steps += row[N]
        note(state, Event.SAVE_STEP, NOBODY, NO_CARD, row[N])
    else:
        boost(state, row)
    return DONE


@jit
def ask_you(state, decision, seat):
    """Ask the player the effect is for; of a reward chosen together, the party (R38)."""
    if is_party_effect(state):
        ask_together(state, decision, source_card(state))
    else:
        ask(state, decision, seat, source_card(state))


# Blocks


@jit
def with_players(state, cards, row, position, seat):
    """Run the block once for each player it names."""
    who = row[WHO]
    first, last = position + 1, position + 1 + row[JUMP]
    card = source_card(state)
    if who == Who.OTHER or who == Who.ANY:
        if not has_answer(state):
            return ask_player(state, seat, who == Who.ANY)
        push_frame(state, first, last, take_player_answer(state, seat), card)
    elif who == Who.EACH:
        push_clockwise(state, first, last, state.starter, state.players, card)
    elif who == Who.OTHERS:
        if state.players == 1:  # R53
            push_frame(state, first, last, seat, card)
        else:
            push_clockwise(state, first, last, next_seat(state, seat), state.players - 1, card)
    elif who == Who.NEXT:
        if state.turn + 1 < state.num_turns:
            push_frame(state, first, last, next_seat(state, active_seat(state)), card)
    elif state.players > 1 or state.turn == 0:  # Who.STARTER, in solo the first turn only (R53)
        push_frame(state, first, last, state.starter, card)
    return DONE + row[JUMP]


@jit
def push_clockwise(state, first, last, start, count, card):
    """Have `count` players clockwise from `start` do the rows, the first of them first."""
    for offset in range(count - 1, -1, -1):
        push_frame(state, first, last, clockwise(state, start, offset), card)


@jit
def ask_player(state, seat, may_be_self):
    """Ask for a player; "other player" may mean yourself in solo (R53)."""
    ask_you(state, Decision.PLAYER, seat)
    for offset in range(state.players):
        if offset > 0 or may_be_self or state.players == 1:
            offer_player(state, clockwise(state, seat, offset))
    return WAIT


@jit
def ask_use(state, seat):
    """Ask whether an effect is used."""
    ask_you(state, Decision.USE, seat)
    offer(state, USE)
    offer(state, DECLINE)
    return WAIT


@jit
def may(state, cards, row, position, seat):
    """Run the block if the player wants to."""
    if not has_answer(state):
        return ask_use(state, seat)
    if take_answer(state) == DECLINE:
        return DONE + row[JUMP]
    count_skill_use(state, cards, position)
    return DONE


@jit
def pay(state, cards, row, position, seat):
    """A condition: what cannot be paid in full does not happen, and paying is optional (R46)."""
    if num_matching(state, cards, seat, row[WHERE], row[WHAT]) < row[N]:
        return DONE + row[JUMP]
    return may(state, cards, row, position, seat)


@jit
def run_if(state, cards, row, position, seat):
    """Run the block if the condition holds, else the one behind it."""
    after = position + DONE + row[JUMP]
    card = state.frame_card[state.num_frames - 1]
    if holds(state, row[WHAT], row[N], seat):
        push_frame(state, position + DONE, after, seat, card)
    else:
        push_frame(state, after, after + row[OPTIONAL], seat, card)
    return DONE + row[JUMP] + row[OPTIONAL]


@jit
def holds(state, condition, number, seat):
    """Whether a condition of an `if` is true now."""
    if condition == Condition.HERO:
        return is_hero(state, seat, number)
    if condition == Condition.FIRST_TURN:
        return state.turn == 0
    if condition == Condition.LAST_TURN:
        return state.turn + 1 == state.num_turns
    if condition == Condition.EXHAUSTED:
        return state.pile_size[seat, Pile.DECK] == 0
    if condition == Condition.BOSS:
        return is_fighting_boss(state)
    if condition == Condition.LEVEL_AT_LEAST:
        return current_level(state) >= number
    return state.pile_size[seat, Pile.HAND] == 0


@jit
def choose_branch(state, cards, row, position, seat):
    """The player picks one of several branches."""
    if not has_answer(state):
        ask_you(state, Decision.OPTION, seat)
        offer_options(state, row[N])
        return WAIT
    push_branch(state, cards, position, take_answer(state) - FIRST_OPTION, seat)
    return DONE + row[JUMP]


@jit
def chance_branch(state, cards, row, position, seat):
    """Chance picks one of several branches."""
    branch = below(state, row[N])
    note(state, Event.CHANCE, NOBODY, source_card(state), branch)
    push_branch(state, cards, position, branch, seat)
    return DONE + row[JUMP]


@jit
def push_branch(state, cards, position, branch, seat):
    """Have the rows of the chosen branch done."""
    head = position + 1
    for _ in range(branch):
        head += 1 + cards.rows[head, JUMP]
    card = state.frame_card[state.num_frames - 1]
    push_frame(state, head + 1, head + 1 + cards.rows[head, JUMP], seat, card)


@jit
def count_skill_use(state, cards, position):
    """A Skill that asks first is used when its player says so (A19)."""
    card = source_card(state)
    if card != NO_CARD and position == cards.first_row[card, Trigger.PLAY]:
        count_skill(state, cards, card)


@jit
def count_played_skill(state, cards, card):
    """A Skill that does not ask is used when it is played (A19)."""
    first = cards.first_row[card, Trigger.PLAY]
    verb = cards.rows[first, VERB]
    if verb != Verb.MAY and verb != Verb.PAY:
        count_skill(state, cards, card)


@jit
def count_skill(state, cards, card):
    """Count the use of a Skill by its hero."""
    if cards.kind[card] == Kind.SKILL:
        state.skill_uses[cards.hero[card]] += 1


# Power


@jit
def double_card(state, cards, seat):
    """Double the power of another card you have played; the order is the player's (R49)."""
    source = source_card(state)
    card = recall(state, 0)
    if card == NO_CARD:
        if not has_answer(state):
            return ask_double(state, cards, seat, source)
        card = take_card_answer(state)
        remember(state, 0, card)
    is_enemy_first = False
    if enemy_modifier(state, cards, card) != 0:
        if not has_answer(state):
            ask(state, Decision.ORDER, active_seat(state), card)
            offer_options(state, 2)
            return WAIT
        is_enemy_first = take_answer(state) - FIRST_OPTION == ENEMY_FIRST
    forget(state)
    double_played(state, cards, seat, card, is_enemy_first)
    return DONE


@jit
def ask_double(state, cards, seat, source):
    """Ask which played card is doubled: any but the one that doubles."""
    ask(state, Decision.DOUBLE, seat, source)
    for slot in range(state.pile_size[seat, Pile.PLAYED]):
        card = state.piles[seat, Pile.PLAYED, slot]
        if card != source:
            offer(state, FIRST_CARD + card)
    return WAIT if state.num_options > 0 else DONE


# A player's cards


@jit
def ask_card(state, cards, decision, row, seat, piles):
    """Ask for a card of the wanted sort; with none there is nothing to do (R45)."""
    ask(state, decision, seat, source_card(state))
    offer_cards_from(state, cards, seat, piles, row[WHAT])
    if state.num_options == 0:
        return DONE
    if row[OPTIONAL]:
        offer(state, DECLINE)
    return WAIT


@jit
def is_declined(state):
    """Whether the answer is that no further card is chosen."""
    if state.answer == DECLINE:
        take_answer(state)
        return True
    return False


@jit
def discard_chosen(state, cards, row, seat):
    """Discard a card of your hand."""
    if not has_answer(state):
        return ask_card(state, cards, Decision.DISCARD, row, seat, IN_HAND)
    if is_declined(state):
        return DONE + row[JUMP]
    card = take_card_answer(state)
    take_out(state, seat, Pile.HAND, card)
    discard(state, seat, card)
    return DONE


@jit
def search(state, cards, row, seat):
    """Search your deck for a card, then shuffle the deck (R48)."""
    if not has_answer(state) and num_matching(state, cards, seat, IN_DECK, row[WHAT]) > 0:
        return ask_card(state, cards, Decision.SEARCH, row, seat, IN_DECK)
    if not has_answer(state) or is_declined(state):
        shuffle_deck(state, seat)  # it was looked through all the same
        return DONE + row[JUMP]
    card = take_card_answer(state)
    take_out_of(state, seat, IN_DECK, card)
    receive(state, seat, Pile.HAND, card)
    note(state, Event.SEARCH, seat, card, 0)
    return DONE


@jit
def bring_back(state, cards, row, seat, decision, pile, event):
    """Take a card of your discard pile into your hand, or shuffle it into your deck."""
    if not has_answer(state):
        return ask_card(state, cards, decision, row, seat, IN_DISCARD)
    if is_declined(state):
        return DONE + row[JUMP]
    card = take_card_answer(state)
    take_out(state, seat, Pile.DISCARD, card)
    receive(state, seat, pile, card)
    note(state, event, seat, card, 0)
    return DONE


@jit
def remove(state, cards, row, seat):
    """Remove a card (R47)."""
    if not has_answer(state):
        return ask_card(state, cards, Decision.REMOVE, row, seat, row[WHERE])
    if is_declined(state):
        return DONE + row[JUMP]
    card = take_card_answer(state)
    take_out_of(state, seat, row[WHERE], card)
    remove_from_game(state, cards, card)
    note(state, Event.REMOVE, seat, card, 0)
    return DONE


@jit
def give(state, cards, row, seat):
    """Give a card to another player."""
    card = recall(state, 0)
    if card == NO_CARD:
        if not has_answer(state):
            return ask_card(state, cards, Decision.GIVE, row, seat, row[WHERE])
        if is_declined(state):
            return DONE + row[JUMP]
        card = take_card_answer(state)
        remember(state, 0, card)
    if not has_answer(state):
        return ask_player(state, seat, False)
    receiver = take_player_answer(state, seat)
    forget(state)
    hand_over(state, seat, receiver, row[WHERE], card)
    return DONE


@jit
def hand_over(state, giver, receiver, piles, card):
    """A card goes to the pile of the receiver that it came from (R61)."""
    pile = take_out_of(state, giver, piles, card)
    if pile == Pile.HAND:
        pile = Pile.DISCARD
    receive(state, receiver, pile, card)
    note(state, Event.GIVE, giver, card, receiver)


@jit
def swap(state, cards, row, seat):
    """Exchange a card with another player, each choosing their own."""
    card = recall(state, 0)
    other = recall(state, 1)
    if card == NO_CARD:
        if not has_answer(state):
            return ask_card(state, cards, Decision.SWAP, row, seat, row[WHERE])
        if is_declined(state):
            return DONE + row[JUMP]
        card = take_card_answer(state)
        remember(state, 0, card)
    if other == NOBODY:
        if not has_answer(state):
            return ask_player(state, seat, False)
        other = take_player_answer(state, seat)
        remember(state, 1, other)
    if not has_answer(state):
        return ask_swap_partner(state, cards, row, other)
    wanted = take_card_answer(state)
    forget(state)
    hand_over(state, other, seat, row[WHERE], wanted)
    hand_over(state, seat, other, row[WHERE], card)
    return DONE


@jit
def ask_swap_partner(state, cards, row, other):
    """Ask the other player for their card; without one there is no exchange."""
    ask(state, Decision.SWAP, other, source_card(state))
    offer_cards_from(state, cards, other, row[WHERE], row[WHAT])
    if state.num_options > 0:
        return WAIT
    forget(state)
    return DONE


@jit
def take(state, row, seat):
    """Take a random card from the reserve (R50)."""
    level = row[WHAT] if row[WHAT] > 0 else current_level(state)
    card = take_from_reserve(state, level)
    if card != NO_CARD:
        receive(state, seat, row[WHERE], card)
        note(state, Event.TAKE, seat, card, 0)


# The table


@jit
def scout(state, row, seat):
    """Look into a dungeon of your choice (R57)."""
    if not has_answer(state):
        ask_you(state, Decision.SCOUT, seat)
        for dungeon in range(NUM_DUNGEONS):
            if num_face_down(state, dungeon) > 0:
                offer(state, FIRST_DUNGEON + dungeon)
        return WAIT if state.num_options > 0 else DONE
    look_into(state, seat, take_answer(state) - FIRST_DUNGEON, row[N])
    return DONE


@jit
def reorder(state, seat):
    """Put the cards under the enemy into any order: the next to be met is chosen first (R43)."""
    dungeon = state.dungeon
    waiting = state.dungeon_size[dungeon] - 1  # the cards under the enemy
    placed = max(0, recall(state, 0))
    if recall(state, 0) == NO_CARD:
        look_into(state, seat, dungeon, waiting)
    if has_answer(state):
        raise_to(state, dungeon, take_card_answer(state), waiting - 1 - placed)
        placed += 1
        remember(state, 0, placed)
    if waiting - placed > 1:
        ask(state, Decision.REORDER, seat, source_card(state))
        for slot in range(waiting - placed):
            offer(state, FIRST_CARD + state.dungeon_cards[dungeon, slot])
        return WAIT
    forget(state)
    note(state, Event.REORDER, seat, NO_CARD, 0)
    return DONE


@jit
def raise_to(state, dungeon, card, target):
    """Lift a card of a dungeon up to a slot; those between sink by one."""
    slot = 0
    while state.dungeon_cards[dungeon, slot] != card:
        slot += 1
    for above in range(slot, target):
        state.dungeon_cards[dungeon, above] = state.dungeon_cards[dungeon, above + 1]
    state.dungeon_cards[dungeon, target] = card


@jit
def move_enemy(state, cards):
    """The enemy moves to another dungeon, or makes a new one (R51)."""
    if state.has_moved:
        return DONE
    if not other_dungeon_with_enemies(state, state.dungeon):
        card = take_enemy(state, state.dungeon)
        arrive(state, card, new_dungeon(state, cards.level[card]))
        return DONE
    if not has_answer(state):
        ask_together(state, Decision.MOVE, source_card(state))
        for dungeon in range(BOSS_DECK):
            if dungeon != state.dungeon and has_enemies(state, dungeon):
                offer(state, FIRST_DUNGEON + dungeon)
        return WAIT
    target = take_answer(state) - FIRST_DUNGEON
    arrive(state, take_enemy(state, state.dungeon), target)
    return DONE


@jit
def arrive(state, card, dungeon):
    """A moving enemy lies face up on top of its new dungeon (R51)."""
    put_face_up(state, dungeon, card)
    state.has_moved = 1
    note(state, Event.MOVE, NOBODY, card, dungeon)


@jit
def join_boss(state, row):
    """A reserve monster joins the boss deck, the next to be fought (R41, R62)."""
    card = take_from_reserve(state, row[WHAT])
    if card != NO_CARD:
        place_under_enemy(state, BOSS_DECK, card)
        note(state, Event.JOIN, NOBODY, card, 0)


@jit
def boost(state, row):
    """A temporary advantage of the whole party."""
    kind, span = row[WHAT], row[WHERE]
    state.boost[kind, span] += row[N]
    event = Event.BOOST_POWER if kind == Boost.POWER else Event.BOOST_HAND
    note(state, event, span, NO_CARD, row[N])
