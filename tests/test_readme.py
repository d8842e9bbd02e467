"""Every code block of the README runs, and its picture is what the game prints."""

import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parent.parent
README = (ROOT / "README.md").read_text(encoding="utf-8")
BLOCKS = re.findall(r"```python\n(.*?)```", README, flags=re.DOTALL)


def test_there_are_blocks_to_run():
    assert len(BLOCKS) >= 4


def test_the_python_blocks_run_one_after_the_other(tmp_path):
    script = tmp_path / "readme.py"
    script.write_text("\n".join(BLOCKS), encoding="utf-8")
    done = subprocess.run(
        [sys.executable, script], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr


def test_the_picture_is_what_the_command_below_it_prints():
    picture = re.search(r"<!-- picture -->\n```\n\$ python (.*?)\n(.*?)```", README, re.DOTALL)
    assert picture is not None
    command = [part.strip('"') for part in re.findall(r'"[^"]*"|\S+', picture[1])]
    printed = subprocess.run(
        [sys.executable, *command], cwd=ROOT, capture_output=True, text=True, check=True
    )
    assert printed.stdout == picture[2]
