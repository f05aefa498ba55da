"""What only one can have: e-mail addresses, telephone numbers, ids in other systems. Pure.

Two mentions with one of these in common are one, whatever they are called. Each has a key, the form under which it
is the same however it is written:

- an e-mail address: NFKC, case folded, without the tag after "+" (RFC 5233). Dots stay: they are one mailbox with
  some providers and two with others. Addresses of a role ("info@", RFC 2142) are nobody's;
- a telephone number: ``tel:`` and its digits (RFC 3966), with "+" where the country is said ("+49", "0049"). One
  without a country is never taken for one with it, and with fewer than 9 digits it is nobody's;
- an id in another system: ``crm:4711``, ``@alice``.
"""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache
from typing import Final

_EMAIL: Final = re.compile(r"(?:mailto:)?([\w.!#$%&'*/=?^`{|}~-]+)(\+[^\s@]*)?@([\w-]+(?:\.[\w-]+)+)")
_ROLE: Final = re.compile(
    "abuse|accounting|accounts|admin|administrator|billing|career|careers|contact|customerservice|"
    "enquiries|feedback|hello|help|helpdesk|hostmaster|hr|info|inquiries|it|jobs|legal|mail|"
    "marketing|news|newsletter|no-reply|noc|noreply|office|orders|postmaster|press|privacy|root|"
    "sales|security|service|support|team|usenet|uucp|webmaster|www"
)
_PHONE: Final = re.compile(r"(?:tel:)?(\+?)[\d ()./-]*\d")
_TRUNK: Final = re.compile(r"\( ?0 ?\)")
"""The zero of "+49 (0)30", dialled only within the country."""
_MOST_DIGITS: Final = 15
"""Of a number with its country (ITU-T E.164)."""
_LEAST_DIGITS: Final = 7
_LEAST_NATIONAL: Final = 9
_HANDLE: Final = re.compile(r"@[\w.-]*\w")
_ID: Final = re.compile(r"[^\W\d_][\w+.-]*:(?!//)[^\s:]\S*")


def folded(text: str) -> str:
    return unicodedata.normalize("NFKC", text).casefold().strip()


def email_key(text: str) -> str | None:
    """None: no address of one person."""
    found = _EMAIL.fullmatch(folded(text))
    return None if found is None or _ROLE.fullmatch(found[1]) else f"{found[1]}@{found[3]}"


def phone_key(text: str) -> str | None:
    """None: no number that is one person's wherever it is written."""
    written = folded(text)
    found = _PHONE.fullmatch(written)
    if found is None:
        return None
    digits = re.sub(r"\D", "", _TRUNK.sub("", written) if found[1] else written)
    abroad = bool(found[1])
    if not abroad and digits.startswith("00"):
        abroad, digits = True, digits[2:]
    least = _LEAST_DIGITS if abroad else _LEAST_NATIONAL
    if not least <= len(digits) <= _MOST_DIGITS or (abroad and digits.startswith("0")):
        return None
    return f"tel:{'+' if abroad else ''}{digits}"


def id_key(text: str) -> str | None:
    """None: no id that says of which system it is."""
    written = folded(text)
    return written if _HANDLE.fullmatch(written) or _ID.fullmatch(written) else None


def key_of(text: str, literal: str) -> str | None:
    """The key of a literal that an ontology calls so ("email", "phone", "id")."""
    match literal:
        case "email":
            return email_key(text)
        case "phone":
            return phone_key(text)
        case "id":
            return identifier(text)
    return None


@lru_cache(maxsize=65_536)
def identifier(name: str) -> str | None:
    """The key of a name that is itself an identifier; None for what people and things are called.

    A telephone number is one with its country only: "13800138000" may count something else.
    """
    if not any(mark in name for mark in "@＠:：+＋"):
        return None
    written = folded(name)
    if written.startswith(("+", "tel:")):
        return phone_key(written)
    if "@" in written[1:] and ":" not in written.removeprefix("mailto:"):
        return email_key(written)
    return id_key(written)


def identifier_rank(name: str) -> int:
    """How little an identifier is a name to call somebody by: 0 for a name, then ids, addresses, numbers."""
    key = identifier(name)
    if key is None:
        return 0
    return 3 if key.startswith("tel:") else 2 if "@" in key[1:] else 1
