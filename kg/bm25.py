"""The constants of BM25, in one place for every store.

Robertson and Zaragoza, "The Probabilistic Relevance Framework: BM25 and Beyond" (2009), usual values: a
word's share of a text's score is ``log(1 + (docs - having + .5) / (having + .5))`` times
``times * (K1 + 1) / (times + K1 * (1 - B + B * length / mean_length))``.
"""

from typing import Final

K1: Final = 1.2
B: Final = 0.75
