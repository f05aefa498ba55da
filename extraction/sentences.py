"""Cutting a turn into the sentences worth reading, each in one language, with offsets into the episode."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass
from html import unescape
from typing import Literal, TypeAlias

from .spoken import Line, lines, without_retracted
from .traditional import simplified

Language: TypeAlias = Literal["en", "zh"]

_HAN = re.compile(r"[㐀-鿿豈-﫿]")
_LATIN_WORD = re.compile(r"[A-Za-zÀ-ɏ]+")
_CODE = re.compile(
    r"```.*?(?:```|\Z)|^~~~.*?(?:^~~~|\Z)|`[^`\n]+`|<(pre|code)\b.*?(?:</\1\s*>|\Z)",
    re.DOTALL | re.IGNORECASE | re.MULTILINE,
)
_UNSHOWN = re.compile(
    r"<(script|style|head|template)\b.*?(?:</\1\s*>|\Z)|<!--.*?(?:-->|\Z)", re.DOTALL | re.IGNORECASE
)
_TAG = re.compile(r"</?[A-Za-z][\w:-]*(?:\s[^<>]{0,4000})?/?>|<![A-Za-z][^<>]{0,300}>")
_CONTROL = re.compile("[\0-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\ufff9-\uffff]")
_CHARACTER = re.compile(r"&(?:[A-Za-z]{2,8}|#\d{1,7}|#[xX][0-9A-Fa-f]{1,6});")
_QUOTED_LINE = re.compile(r"^[ \t]*[>|].*$", re.MULTILINE)
_SAYS_WHO = (
    r"(?=[^\n]*(?:\n[^\n]*)?[\d@])"
    r"(?:On [^\n]{5,120}(?:\n[^\n]{1,80})? wrote:|Am [^\n]{5,120} schrieb[^\n]{0,80}:|[^\n]{2,60}写道[:：])"
)
"""With a date or an address, as mail programs have it and prose has not."""
_INTRODUCED = re.compile(rf"^{_SAYS_WHO}[ \t]*\n(?=(?:[ \t]*\n)*[ \t]*>)", re.MULTILINE)
"""What stands above quoted lines; who writes may go on below them."""
_QUOTED_TAIL = re.compile(
    rf"^(?:{_SAYS_WHO}|-{{2,}} ?(?:Original Message|Forwarded message|原始邮件|转发邮件).*)[ \t\r]*$", re.MULTILINE
)
_HEADER = re.compile(
    r"^\*?(?:From|Von|发件人)\*?[ \t]?[:：][^\n]*\n"
    r"(?:\*?(?:Sent|Date|To|Cc|Subject|Reply-To|Gesendet|An|Betreff|发送时间|日期|时间|收件人|抄送|主题)\*?"
    r"[ \t]?[:：][^\n]*(?:\n|\Z))+",
    re.MULTILINE,
)
"""The head of a mail. Where it does not begin the text, what follows is a mail that is answered or sent on."""
_WRAPPED = re.compile(r"(?<=[a-z,’'])\n(?=[a-z])")
_LINE = 50
"""Code points from which a line that ends without a full stop, before one that goes on in lower case, was cut by a
mail program."""
_REMEMBERED = re.compile(
    r"^## Memory: [a-z ]+\r?$(?:\n- [^\n]*)*|<memory>.*?(?:</memory>|\Z)|"
    r"(?:\{\"kind\": \"memory\"|\[?\{\"role\": \"system\", \"content\": \"## Memory: )[^\n]*",
    re.MULTILINE | re.DOTALL,
)
"""A block of memory as ``View.context`` writes it, which nobody said anew."""
HEADING = re.compile(
    r"^(?:#{1,6}[ \t]|第[一二三四五六七八九十百\d]{1,4}[章节條条]|[^\n]{1,100}\n(?:={3,}|-{3,})[ \t]*$)|<h[1-6]\b",
    re.MULTILINE | re.IGNORECASE,
)
"""Where a section begins: markdown, HTML, and 第一章."""
_ADDRESS = re.compile(r"https?://\S+")
_END = re.compile(r"[。！？!?\n；;]+[”」』\"')）]*|\.{1,3}(?=[\s\"”')])|(?<=[.。])\Z")
_ABBREVIATION = re.compile(
    r"(?:\b(?:Dr|Mr|Mrs|Ms|Prof|St|Jr|Sr|Inc|Ltd|Co|Corp|vs|etc|e\.g|i\.e|No|approx|[A-Z]))\.$"
)
_GOES_ON = re.compile(
    r"\b(?:(?i:Jan|Feb|Mar|Apr|Jun|Jul|Aug|Sept?|Oct|Nov|Dec)\.(?=\s*\d)|(?i:[ap]\.m)\.(?=\s+[a-z]))"
)
"""Points within a time: "Jan. 5", "at 5 p.m. on Monday"."""
LONGEST = 600
"""Code points; a longer sentence is no sentence a person said, and is not read."""


@dataclass(frozen=True, slots=True)
class Piece:
    """A sentence ``text``, which is the episode's text from ``start`` on."""

    text: str
    start: int
    language: Language
    section: int = 0
    """How many headings stand before it in the turn, its own included."""
    line: Line | None = None
    """The line of a written talk that it stands in."""
    whole: str | None = None
    """The sentence that it is short for: an answer with its question's words."""

    @property
    def plain(self) -> str:
        """The text as it is read: in simplified characters, and a bare answer with what it leaves out."""
        if self.whole is not None:
            return self.whole
        return simplified(self.text) if self.language == "zh" else self.text

    @property
    def is_question(self) -> bool:
        return self.text.rstrip(" \t\"”')）").endswith(("?", "？"))


def pieces(text: str, start: int, end: int) -> list[Piece]:
    """The sentences of ``text[start:end]``; code, mark-up, addresses, quoted mail and its heads, and memory blocks
    are left out (a piece has blanks where mark-up or a wrapped line's end stood, so that offsets stay)."""
    readable = without_retracted(_readable(text[start:end]))
    headings = [m.start() for m in HEADING.finditer(text[start:end])]
    talk = lines(readable)
    labels = [said.label for said in talk]
    found = []
    for first, last in _sentences(readable):
        at = bisect_right(labels, first) - 1
        line = talk[at] if at >= 0 and first < talk[at].end else None
        begin = first if line is None else max(first, line.start)
        raw = readable[begin:last]
        stripped = raw.strip()
        language = language_of(stripped) if len(stripped) <= LONGEST else None
        if language is not None:
            begin += len(raw) - len(raw.lstrip())
            found.append(Piece(stripped, start + begin, language, bisect_right(headings, begin), line))
    return found


def language_of(text: str) -> Language | None:
    """Chinese when it has at least as many Han characters as Latin words; None when it has neither."""
    han = len(_HAN.findall(text))
    latin = len(_LATIN_WORD.findall(text))
    if not han and not latin:
        return None
    return "zh" if han >= latin else "en"


def sentence_ends(text: str) -> list[int]:
    """Where sentences end; the lines of a wrapped paragraph are one text."""
    return [end for _, end in _sentences(_unwrapped(text))]


def _readable(text: str) -> str:
    """The text with everything nobody said blanked out, code point by code point."""
    text = _blanked(_REMEMBERED, text, "\n")
    text = _blanked(_INTRODUCED, text, "\n")
    ends = [m.start() for m in (_QUOTED_TAIL.search(text), _inner_header(text)) if m is not None]
    if ends:
        text = text[: min(ends)] + "\n" * (len(text) - min(ends))
    text = _blanked(_HEADER, text, "\n")
    for pattern, blank in ((_CODE, "\n"), (_UNSHOWN, "\n"), (_QUOTED_LINE, "\n"), (_ADDRESS, " "), (_TAG, " ")):
        text = _blanked(pattern, text, blank)
    text = _CONTROL.sub(" ", text)
    return _unwrapped(_CHARACTER.sub(lambda m: unescape(m.group())[:1].ljust(len(m.group())), text))


def _blanked(pattern: re.Pattern[str], text: str, blank: str) -> str:
    return pattern.sub(lambda m: blank * len(m.group()), text)


def _inner_header(text: str) -> re.Match[str] | None:
    begins = len(text) - len(text.lstrip())
    return next((m for m in _HEADER.finditer(text) if m.start() > begins), None)


def _unwrapped(text: str) -> str:
    """With blanks for the line ends that a mail program made."""
    if "\n" not in text:
        return text
    parts, start = [], 0
    for match in _WRAPPED.finditer(text):
        at = match.start()
        if at - text.rfind("\n", 0, at) > _LINE:
            parts += [text[start:at], " "]
            start = at + 1
    return "".join(parts) + text[start:]


def _sentences(text: str) -> Iterator[tuple[int, int]]:
    start, within = 0, {m.end() for m in _GOES_ON.finditer(text)}
    for match in _END.finditer(text):
        if match.end() in within:
            continue
        if match.group() == "." and _ABBREVIATION.search(text[max(0, match.end() - 8) : match.end()]):
            continue
        if match.end() > start:
            yield start, match.end()
        start = match.end()
    if start < len(text):
        yield start, len(text)
