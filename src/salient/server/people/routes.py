"""The API of people: register, sign in, keys, profiles, blocks, reports, export, deletion."""

from __future__ import annotations

import time
from typing import Annotated, Any, Literal

from fastapi import APIRouter, Depends, Path, Request, Response
from fastapi.responses import JSONResponse
from pydantic import AfterValidator, EmailStr, Field, StringConstraints
from sqlalchemy import insert
from starlette.background import BackgroundTask

from salient.server.access import COOKIE, Lang, TheOwnPerson, ThePerson
from salient.server.answers import Account, KeyLine, NewBotAnswer, NewKeyAnswer, Profile
from salient.server.limits import Limits, household
from salient.server.models import Body, without_control_characters
from salient.server.people.accounts import MOST_BOTS, SIGN_IN_SECONDS, Accounts, Person
from salient.server.people.names import name_key
from salient.server.people.ratings import profile
from salient.server.problems import RequestProblem, sentence
from salient.server.tables import REPORTS

router = APIRouter(prefix="/api/people", tags=["people"])

PersonName = Annotated[str, StringConstraints(max_length=40)]
Password = Annotated[str, StringConstraints(max_length=200)]
Text = Annotated[str, StringConstraints(max_length=2000), AfterValidator(without_control_characters)]
Code = Annotated[str, StringConstraints(max_length=100)]
Who = Annotated[str, Path(max_length=40)]


def _accounts(request: Request) -> Accounts:
    accounts: Accounts = request.app.state.accounts
    return accounts


TheAccounts = Annotated[Accounts, Depends(_accounts)]


class Registration(Body):
    """A person to be."""

    name: PersonName
    password: Password
    mail: EmailStr | None = None


class SignIn(Body):
    """A person who comes back."""

    name: PersonName
    password: Password


class NewPassword(Body):
    """Another password."""

    old: Password
    new: Password


class Reset(Body):
    """Another password for who has read the letter."""

    code: Code
    password: Password


class Mail(Body):
    """An address for letters."""

    mail: EmailStr


class Confirmation(Body):
    """The code of a letter."""

    code: Code


class Me(Body):
    """What a person may change about himself."""

    about: Text | None = None
    lang: Annotated[str, StringConstraints(pattern="^[a-z]{2}$")] | None = None
    mail: bool | None = None
    push: bool | None = None
    hook: Annotated[str, StringConstraints(max_length=300, pattern="^(https?://.*)?$")] | None = None


class NewKey(Body):
    """A key for a program."""

    name: Annotated[Text, Field(max_length=60)]
    scopes: list[Literal["read", "play"]] = Field(default=["read", "play"], min_length=1, max_length=2)


class NewBot(Body):
    """An account for a program that plays."""

    name: PersonName


class Complaint(Body):
    """What somebody did."""

    text: Annotated[Text, Field(min_length=1)]
    game: Annotated[str, StringConstraints(pattern="^[A-Za-z0-9_-]{0,32}$")] = ""


class Goodbye(Body):
    """The password once more."""

    password: Password


def _spend(request: Request, what: str, *keys: str) -> None:
    limits: Limits = request.app.state.limits
    limits.spend(what, *keys, household(request.client.host) if request.client else "")


def _spend_guess(request: Request, name: str) -> None:
    """Count a try of a password: few from one address, more for one name, however it is spelt, from everywhere.

    The name has the larger share, or a single stranger could keep its owner out.
    """
    _spend(request, "sign_ins")
    request.app.state.limits.spend("guesses", f"name {name_key(name)}")


# ---- coming in -----------------------------------------------------------------


@router.post("/register", status_code=201, response_model=Account)
def register(body: Registration, request: Request, accounts: TheAccounts, lang: Lang) -> Response:
    """Become known by a name; the answer signs the browser in."""
    _spend(request, "registrations")
    person = accounts.register(body.name, body.password, lang)
    if body.mail:
        _send_code(request, accounts, person, "confirm", body.mail)
    return _with_cookie(request, accounts, person, 201)


@router.post("/sign-in", response_model=Account)
def sign_in(body: SignIn, request: Request, accounts: TheAccounts) -> Response:
    """Sign in by name and password."""
    _spend_guess(request, body.name)
    return _with_cookie(request, accounts, accounts.checked(body.name, body.password))


def _with_cookie(request: Request, accounts: Accounts, person: Person, status: int = 200) -> Response:
    response = JSONResponse(_me(request, person), status_code=status)
    token = accounts.sign_in(person, request.headers.get("user-agent", ""))
    secure = request.app.state.settings.address.startswith("https") or request.url.scheme == "https"
    response.set_cookie(COOKIE, token, SIGN_IN_SECONDS, httponly=True, samesite="lax", secure=secure)
    return response


@router.post("/sign-out", status_code=204)
def sign_out(request: Request, accounts: TheAccounts) -> Response:
    """End this browser's session."""
    accounts.sign_out(request.cookies.get(COOKIE, ""))
    response = Response(status_code=204)
    response.delete_cookie(COOKIE)
    return response


@router.post("/forgot", status_code=204)
def forgot(body: Mail, request: Request, accounts: TheAccounts) -> Response:
    """Ask for a letter with a code for another password; nobody is told whether there is such an address.

    It is looked up after the answer, which so takes as long whether there is one or not.
    """
    _spend(request, "letters", body.mail.casefold())
    return Response(status_code=204, background=BackgroundTask(_send_reset, request, accounts, body.mail))


def _send_reset(request: Request, accounts: Accounts, mail: str) -> None:
    person = accounts.by_mail(mail)
    if person is not None:
        _send_code(request, accounts, person, "reset", mail)


@router.post("/reset", status_code=204)
def reset(body: Reset, accounts: TheAccounts) -> Response:
    """Choose another password with the code of the letter; all sessions end."""
    person, _ = accounts.use_code(body.code, "reset")
    accounts.set_password(person, body.password)
    return Response(status_code=204)


@router.post("/confirm", status_code=204)
def confirm(body: Confirmation, accounts: TheAccounts) -> Response:
    """Confirm an address with the code of the letter."""
    person, mail = accounts.use_code(body.code, "confirm")
    accounts.change(person.id, mail=mail.casefold(), mail_confirmed=True)
    return Response(status_code=204)


def _send_code(request: Request, accounts: Accounts, person: Person, purpose: str, mail: str) -> None:
    code = accounts.new_code(person, purpose, mail)
    link = f"{request.app.state.settings.address}/#{purpose}/{code}"
    words = {"name": person.name, "link": link}
    subject = sentence(f"letter-{purpose}-subject", person.lang, **words)
    text = sentence(f"letter-{purpose}", person.lang, **words)
    request.app.state.post.letter(person.id, mail, subject, text)


# ---- oneself -------------------------------------------------------------------


def _me(request: Request, person: Person) -> dict[str, Any]:
    shown = ("id", "name", "kind", "mail", "mail_confirmed", "admin", "lang", "about", "wishes", "suspended_until")
    return {name: getattr(person, name) for name in shown} | {"hook_key": request.app.state.post.hook_key(person.id)}


@router.get("/me", response_model=Account)
def me(request: Request, person: ThePerson) -> Response:
    """Who is signed in."""
    return JSONResponse(_me(request, person))


@router.patch("/me", response_model=Account)
def change_me(body: Me, request: Request, person: TheOwnPerson, accounts: TheAccounts) -> Response:
    """Change what others read about you, your language, and how you are notified."""
    given = body.model_dump(exclude_none=True)
    wishes = {name: given.pop(name) for name in ("mail", "push", "hook") if name in given}
    accounts.change(person.id, **given, wishes={**(person.wishes or {}), **wishes})
    found = accounts.by_id(person.id)
    assert found is not None
    return JSONResponse(_me(request, found))


@router.post("/me/password", status_code=204)
def change_password(body: NewPassword, request: Request, person: TheOwnPerson, accounts: TheAccounts) -> Response:
    """Change the password; all sessions and keys end."""
    _spend_guess(request, person.name)
    accounts.checked(person.name, body.old)
    accounts.set_password(person, body.new)
    return Response(status_code=204)


@router.post("/me/mail", status_code=204)
def change_mail(body: Mail, request: Request, person: TheOwnPerson, accounts: TheAccounts) -> Response:
    """Name an address; a letter asks to confirm it."""
    _spend(request, "letters", person.id)
    _send_code(request, accounts, person, "confirm", body.mail)
    return Response(status_code=204)


@router.get("/me/keys", response_model=list[KeyLine])
def list_keys(person: TheOwnPerson, accounts: TheAccounts) -> Response:
    """The keys of your programs."""
    return JSONResponse(accounts.keys(person))


@router.post("/me/keys", status_code=201, response_model=NewKeyAnswer)
def new_key(body: NewKey, person: TheOwnPerson, accounts: TheAccounts) -> Response:
    """A key for a program, shown this once: `Authorization: Bearer KEY`."""
    return JSONResponse({"key": accounts.new_key(person, body.name, " ".join(body.scopes))}, status_code=201)


@router.delete("/me/keys/{key_id}", status_code=204)
def drop_key(
    key_id: Annotated[str, Path(pattern="^[0-9a-f]{12}$")], person: TheOwnPerson, accounts: TheAccounts
) -> Response:
    """Make a key void."""
    accounts.drop_key(person, key_id)
    return Response(status_code=204)


@router.post("/me/bots", status_code=201, response_model=NewBotAnswer)
def new_bot(body: NewBot, person: TheOwnPerson, accounts: TheAccounts, lang: Lang) -> Response:
    """An account of its own for a program, marked as a bot; you answer for it."""
    if person.kind != "person" or len(accounts.bots_of(person)) >= MOST_BOTS:
        raise RequestProblem(429, "too-many", "too-many")
    bot = accounts.register(body.name, None, lang, keeper=person)
    key = accounts.new_key(bot, "first", "read play")
    return JSONResponse({"name": bot.name, "key": key}, status_code=201)


@router.get("/me/export", response_model=dict[str, Any])
def export(person: TheOwnPerson, accounts: TheAccounts) -> Response:
    """Everything that is kept of you, as JSON."""
    headers = {"Content-Disposition": 'attachment; filename="salient.json"'}
    return JSONResponse(accounts.export(person), headers=headers)


@router.delete("/me", status_code=204)
def delete_me(body: Goodbye, request: Request, person: TheOwnPerson, accounts: TheAccounts) -> Response:
    """Delete the account: running games are resigned, results stay under a name that says nothing."""
    _spend_guess(request, person.name)
    accounts.checked(person.name, body.password)
    for each in (person, *accounts.bots_of(person)):
        request.app.state.referee.resign_all(each.id)
    accounts.delete(person)
    response = Response(status_code=204)
    response.delete_cookie(COOKIE)
    return response


# ---- others --------------------------------------------------------------------


@router.get("/{name}", response_model=Profile)
def read_profile(name: Who, request: Request, accounts: TheAccounts) -> Response:
    """A person's profile: ratings, results by game and side, reliability."""
    person = accounts.known(name)
    keeper = accounts.by_id(person.keeper_id) if person.keeper_id else None
    about = {"name": person.name, "kind": person.kind, "about": person.about, "since": person.created}
    about |= {"moves_in_time": person.moves_in_time, "games_left": person.games_left}
    about |= {"suspended": person.suspended, "keeper": keeper.name if keeper else None}
    return JSONResponse(about | profile(request.app.state.table.store, person.id))


@router.put("/{name}/{kind}", status_code=204)
def bind(name: Who, kind: Literal["block", "mute"], person: ThePerson, accounts: TheAccounts) -> Response:
    """Block somebody (no games together) or mute somebody (no talk)."""
    accounts.bind(person, accounts.known(name), kind, True)
    return Response(status_code=204)


@router.delete("/{name}/{kind}", status_code=204)
def unbind(name: Who, kind: Literal["block", "mute"], person: ThePerson, accounts: TheAccounts) -> Response:
    """Block or mute no longer."""
    accounts.bind(person, accounts.known(name), kind, False)
    return Response(status_code=204)


@router.post("/{name}/report", status_code=204)
def report(name: Who, body: Complaint, request: Request, person: ThePerson, accounts: TheAccounts) -> Response:
    """Tell an administrator what somebody did."""
    _spend(request, "letters", person.id)
    values = {"by_id": person.id, "about_id": accounts.known(name).id, "game_id": body.game, "text": body.text}
    with accounts.store.writing() as db:
        db.execute(insert(REPORTS).values(**values, created=time.time()))
    return Response(status_code=204)
