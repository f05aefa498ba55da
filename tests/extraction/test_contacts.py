"""Who gives which address, number or handle, as the rules read it."""

from __future__ import annotations

import pytest

from hitherto.extraction.contacts import Contacts
from hitherto.extraction.lexicon import lexicon
from hitherto.extraction.sentences import pieces
from hitherto.kg.model import Mention, Value
from hitherto.kg.ontology import Ontology

CONTACTS = Contacts(Ontology.starter(), lexicon().given_names)

SAID = {
    "This is Alice from Acme, alice@acme.com.": ["I NAMED Alice", "I HAS_EMAIL alice@acme.com"],
    "Hi, it's Max Frei from Globex, my e-mail is max+a@globex.com.": [
        "I NAMED Max Frei",
        "I HAS_EMAIL max+a@globex.com",
    ],
    "Ann Lee here, +49 30 1234567.": ["I NAMED Ann Lee", "I HAS_PHONE +49 30 1234567"],
    "You can reach me at al@acme.com or on 030 1234567.": ["I HAS_EMAIL al@acme.com"],
    "I'm @carol on Slack.": ["I HAS_ID @carol"],
    "You can email my boss Carol Diaz at cd@acme.com.": ["Carol Diaz HAS_EMAIL cd@acme.com"],
    "I spoke to Carol Diaz, cd@acme.com, about it.": ["Carol Diaz HAS_EMAIL cd@acme.com"],
    "Alice Wu <al@acme.com> wrote again.": ["Alice Wu HAS_EMAIL al@acme.com"],
    "Alice (@allie) lives in Rome.": ["Alice HAS_ID @allie"],
    "您好，我是腾讯的李雷，邮箱 lilei@x.cn": ["I HAS_EMAIL lilei@x.cn"],
    "我的手机号是１３８００１３８０００。": ["I HAS_PHONE １３８００１３８０００"],
    "这里是王芳，电话13800138000": ["I HAS_PHONE 13800138000"],
    "This is Max, my dog.": [],
    "This is Paris from above.": [],
    "Nothing here, sorry.": [],
    "My old email was x@acme.com.": [],
    "Write to support@acme.com.": [],
    "I'm Alice Chen and my boss's email is b@acme.com.": [],
    "I paid 2024-05-01 for it.": [],
    "他的手机号是13800138000": [],
}


@pytest.mark.parametrize("text", SAID)
def test_owners(text: str) -> None:
    found = []
    for piece in pieces(text, 0, len(text)):
        for saying in CONTACTS.sayings(piece.text):
            who = saying.subject.name if isinstance(saying.subject, Mention) else "I"
            assert isinstance(saying.object, Value)
            assert saying.object.text in piece.text
            found.append(f"{who} {saying.predicate} {saying.object.text}")
    assert found == SAID[text]
