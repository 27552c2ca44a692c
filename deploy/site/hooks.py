"""Gives MkDocs the pages as GitHub reads them: MkDocs wants four spaces where GitHub takes two, and no backslash before a
vertical bar in the code of a table."""

import re

LIST_ITEM = re.compile(r"^ *(?:[-*]|\d+\.) ")
CODE = re.compile(r"`[^`]*`")


def on_page_markdown(markdown, **unused):
    lines = []
    in_fence = in_list = False
    blank_before = True
    for line in markdown.split("\n"):
        text = line.lstrip(" ")
        indent = len(line) - len(text)
        if text.startswith("```"):
            in_fence = not in_fence
        elif not in_fence:
            if LIST_ITEM.match(line):
                if not in_list and not blank_before:
                    lines.append("")
                in_list = True
            elif text and indent == 0 and blank_before:
                in_list = False
            if in_list and indent > 0:
                line = " " * (4 if indent < 4 else 8) + text
            if line.startswith("|"):
                line = CODE.sub(lambda code: code.group().replace("\\|", "|"), line)
        blank_before = not text
        lines.append(line)
    return "\n".join(lines)
