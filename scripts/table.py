"""Print the table of a game as text: python scripts/table.py --players 3 --seed 7 keep ..."""

import argparse

from tenefyr_env import Game, GameConfig
from tenefyr_env.render.text import table_text


def main() -> None:
    """Set up a game, make the given choices and print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--players", type=int, default=4)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("choices", nargs="*", help='actions by name, such as "dungeon 1" keep')
    options = parser.parse_args()
    game = Game.new(GameConfig(players=options.players), options.seed)
    for choice in options.choices:
        game.step(choice)
    print(table_text(game))


if __name__ == "__main__":
    main()
