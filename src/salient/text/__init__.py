"""Words for what the engine says, in the reader's language: messages, actions and names.

A sentence has places such as `{unit}`, `{hex_to}` or `{units}`, named like the arguments of a message; `template` tells
what they can do. What a catalog lacks is said in English, what no catalog has is shown by its key: no game stops for
want of a sentence.
"""

from salient.text.catalog import LANGUAGES, Catalog, catalog, languages
from salient.text.say import (
    Argument,
    action_places,
    action_words,
    describe_action,
    describe_ending,
    describe_faces,
    describe_verb,
    full_name,
    heading,
    name,
    phrase,
    say,
    say_data_error,
    say_error,
    say_left,
    say_problem,
    stage_text,
    title,
)
from salient.text.template import Name, places

__all__ = [
    "LANGUAGES",
    "Argument",
    "Catalog",
    "Name",
    "action_places",
    "action_words",
    "catalog",
    "describe_action",
    "describe_ending",
    "describe_faces",
    "describe_verb",
    "full_name",
    "heading",
    "languages",
    "name",
    "phrase",
    "places",
    "say",
    "say_data_error",
    "say_error",
    "say_left",
    "say_problem",
    "stage_text",
    "title",
]
