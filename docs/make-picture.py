#!/usr/bin/env python3
"""Draws what a command printed on a terminal with colours, as SVG.

    OFFHOOK_TTY=12 OFFHOOK_COLUMNS=110 ./offhook calls --color always samples/calls.pcap |
        python3 docs/make-picture.py 'offhook calls samples/calls.pcap' >docs/calls.svg

docs/make-screens.sh draws screens of `offhook browse` and `offhook threads` with it. Reads text with ANSI colours from
standard input; the argument is the command to show above it. Every run of text is
given its own length, so that columns stay in line whatever monospace font the viewer has.
"""

import re
import sys
import unicodedata
from html import escape

CELL, LINE, FONT_SIZE = 8.4, 19, 14
MARGIN, BAR = 20, 36
COLORS = {
    'background': '#16181d', 'frame': '#2c313a', 'text': '#d5d9e0', 'faint': '#868d9a', 'prompt': '#7ec699',
    '31': '#f47067', '32': '#7ec699', '33': '#e3b341', '36': '#6cc7d9', 'bar': '#2c313a',
}
# what ends a style, as tmux has it, and the styles that it ends
ENDS = {'22': {'1', '2'}, '24': {'4'}, '27': {'7'}, '39': {'31', '32', '33', '36'}, '49': {'bar'}}
SGR = re.compile(r'\x1b\[([0-9;]*)m')
OTHER_ESCAPES = re.compile(r'\x1b\[[0-9;?]*[A-Za-ln-z]')


def cells(text):
    """How many columns of a terminal the text takes."""
    return sum(0 if unicodedata.combining(c) else 2 if unicodedata.east_asian_width(c) in 'WF' else 1 for c in text)


def runs(line, style):
    """Splits a line into (style, text); a style is a set of SGR codes. Returns the style that it ends with, too."""
    parts, at = [], 0
    for code in SGR.finditer(line):
        parts.append((style, line[at:code.start()]))
        at = code.end()
        # of the 256 colours, browse has the grey of its bars only
        for number in code.group(1).replace('48;5;237', 'bar').split(';'):
            style = frozenset() if number in ('', '0') else style - ENDS.get(number, set()) | {number}
    parts.append((style, line[at:]))
    return [part for part in parts if part[1]], style


def attributes(style):
    color = next((COLORS[code] for code in style if code in COLORS and code != 'bar'), COLORS['faint'] if '2' in style else None)
    if '7' in style:
        color = COLORS['background']
    return (f' fill="{color}"' if color else '') + (' font-weight="bold"' if '1' in style else '')


def backgrounds(parts, y):
    """Rectangles behind what is reversed, or a bar."""
    column = 0
    for style, text in parts:
        color = COLORS['text'] if '7' in style else COLORS['bar'] if 'bar' in style else None
        if color:
            yield (f'<rect x="{MARGIN + column * CELL:.1f}" y="{y - FONT_SIZE - 0.5}" width="{cells(text) * CELL:.1f}" '
                   f'height="{LINE}" fill="{color}" shape-rendering="crispEdges"/>')
        column += cells(text)


def words(style, text, column):
    """The words of a run that two or more blanks part, each with its column: what is aligned is placed, not spaced."""
    for word in re.finditer(r'\S+(?: \S+)*', text):
        yield style, word.group(), column + cells(text[:word.start()])


def draw(command, lines):
    rows, style = [[(frozenset({'prompt'}), '$', 0), (frozenset({'1'}), command, 2)]], frozenset()
    behind = []
    for line in lines:
        parts, style = runs(OTHER_ESCAPES.sub('', line), style)
        behind.extend(backgrounds(parts, BAR + len(rows) * LINE + FONT_SIZE))
        row, column = [], 0
        for part, text in parts:
            row.extend(words(part, text, column))
            column += cells(text)
        rows.append(row)
    width = max(column + cells(text) for row in rows for _, text, column in row) * CELL + 2 * MARGIN
    height = BAR + len(rows) * LINE + MARGIN
    yield (f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:.0f} {height}" width="{width:.0f}" '
           f'height="{height}" role="img" aria-labelledby="title desc">')
    yield f'<title id="title">{escape(command)}</title>'
    yield '<desc id="desc">A terminal in which this command was run, with its output.</desc>'
    yield (f'<rect x="0.5" y="0.5" width="{width - 1:.0f}" height="{height - 1}" rx="9" '
           f'fill="{COLORS["background"]}" stroke="{COLORS["frame"]}"/>')
    for i, light in enumerate(('#f47067', '#e3b341', '#7ec699')):
        yield f'<circle cx="{MARGIN + 5 + 19 * i}" cy="{BAR / 2 + 1:.0f}" r="5.5" fill="{light}"/>'
    yield from behind
    yield (f'<g font-family="ui-monospace, \'SF Mono\', Menlo, Consolas, \'DejaVu Sans Mono\', \'Liberation Mono\', '
           f'monospace" font-size="{FONT_SIZE}" fill="{COLORS["text"]}" xml:space="preserve">')
    for number, row in enumerate(rows):
        y = BAR + number * LINE + FONT_SIZE
        for part, text, column in row:
            yield (f'<text x="{MARGIN + column * CELL:.1f}" y="{y}" textLength="{cells(text) * CELL:.1f}"'
                   f'{attributes(part)}>{escape(text)}</text>')
    yield '</g>'
    yield '</svg>'


def main():
    lines = sys.stdin.buffer.read().decode('utf-8').rstrip('\n').split('\n')
    for line in draw(sys.argv[1], [line.rstrip('\r') for line in lines]):
        print(line)


if __name__ == '__main__':
    main()
