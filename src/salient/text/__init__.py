"""Words for what the engine says, in the reader's language: messages, actions and names.

A sentence has places such as `{unit}`, `{hex_to}` or `{units}`, named like the arguments of a message;
`{n_loss|step|steps}` is the first form for one and the second for many. What a catalog lacks is shown by its key, so
that no game stops for want of a sentence.
"""

from salient.text.catalog import LANGUAGES, Catalog, catalog
from salient.text.say import (
    action_places,
    describe_action,
    describe_verb,
    name,
    phrase,
    places,
    say,
    say_error,
    stage_text,
)

__all__ = [
    "LANGUAGES",
    "Catalog",
    "action_places",
    "catalog",
    "describe_action",
    "describe_verb",
    "name",
    "phrase",
    "places",
    "say",
    "say_error",
    "stage_text",
]
