"""Mail messages: what they say, who wrote it to whom and when; attachments are files of their own inside of it."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from datetime import date
from email import message_from_bytes
from email.errors import MessageError
from email.header import decode_header, make_header
from email.message import EmailMessage, Message, MIMEPart
from email.policy import default
from email.utils import parsedate_to_datetime
from functools import partial
from pathlib import PurePosixPath

from ...core.errors import DocumentError
from ..reading.block import Block
from .html import read_html
from .office import content_of, paragraph
from .registry import Content, Evidence, FileContent, Member, Reader

_HEADERS = ("From", "To", "Cc", "Date", "Subject")
_FIRST_LINE = re.compile(
    rb"\A(?:(?:From|To|Cc|Date|Subject|Return-Path|Received|Message-ID|MIME-Version|Delivered-To|X-[\w-]{1,60}|DKIM-Signature"
    rb"|ARC-[\w-]{1,60}|Content-Type|Reply-To|Sender)[ \t]{0,4}:|From )",
    re.IGNORECASE,
)
_NEEDED = re.compile(rb"^(?:From|Date|Message-ID|Received|MIME-Version)[ \t]{0,4}:", re.IGNORECASE | re.MULTILINE)
_HEAD = 20_000
_BLANK_LINE = re.compile(r"\n[ \t\r]{0,40}\n")
_MOST_PARTS = 2_000


def _recognises(file: FileContent) -> bool:
    if file.suffix == ".eml":
        return True
    head = file.data[:_HEAD].partition(b"\n\n")[0].partition(b"\r\n\r\n")[0]
    return bool(_FIRST_LINE.match(head)) and len(set(map(bytes.lower, _NEEDED.findall(head)))) >= 2


def _message(file: FileContent) -> EmailMessage:
    return message_from_bytes(file.data, policy=default)


def _read(file: FileContent) -> Content:
    """Raises DocumentError."""
    message = _message(file)
    subject = _header(message, "Subject")
    blocks: list[Block] = []
    if subject:
        blocks.append(paragraph(subject, 1, "subject", level=1))
    front = [f"{name}: {value}" for name in _HEADERS[:-1] if (value := _header(message, name))]
    if front:
        blocks.append(paragraph("\n".join(front), 1, "header"))
    body = _body(message)
    if not front and not body.strip():
        raise DocumentError("no mail message in it", where=str(file.path), hint="Get a fresh copy of the file")
    for number, text in enumerate(filter(str.strip, _BLANK_LINE.split(body)), 1):
        blocks.append(paragraph(text.strip(), 1, f"paragraph {number}"))
    attached = [name for name, _ in _attachments(message)]
    notes = [f"attached: {', '.join(attached)}"] if attached else []
    evidence = Evidence(info={"title": subject} if subject else {}, published=_day(message))
    return content_of(blocks, 0, evidence, notes)


def _header(message: EmailMessage, name: str) -> str:
    """A header in plain words; one that is broken as it stands."""
    value = message.get(name)
    if value is None:
        return ""
    try:
        return " ".join(str(make_header(decode_header(str(value)))).split())
    except (MessageError, LookupError, UnicodeError, ValueError):
        return " ".join(str(value).split())


def _day(message: EmailMessage) -> date | None:
    try:
        return parsedate_to_datetime(str(message.get("Date", ""))).date()
    except (TypeError, ValueError, IndexError):
        return None


def _body(message: EmailMessage) -> str:
    """The plain text of a message, else what its HTML shows."""
    part = message.get_body(("plain", "html"))
    if part is None:
        return ""
    text = _text(part)
    is_html = part.get_content_type() == "text/html"
    return read_html(text).text if is_html and text.strip() else text


def _text(part: MIMEPart) -> str:
    """The text of a part, also under a character set that nobody knows."""
    try:
        return str(part.get_content())
    except (MessageError, LookupError, ValueError, TypeError):
        data = part.get_payload(decode=True)
        return data.decode("utf-8", "replace") if isinstance(data, bytes) else ""


def _attachments(message: EmailMessage) -> Iterator[tuple[str, EmailMessage]]:
    """The files attached, each under a name that no other of them has; pictures shown in the text are none."""
    taken: set[str] = set()
    for at, part in enumerate(message.iter_attachments()):
        if at >= _MOST_PARTS:
            break
        is_inline = part.get_content_disposition() == "inline" and part.get_content_maintype() == "image"
        if is_inline:
            continue
        name = _name(part, at)
        while name in taken:
            name = f"{at + 1}-{name}"
        taken.add(name)
        yield name, part


def _name(part: EmailMessage, at: int) -> str:
    """The last part of the name given: it must not lead out of the message."""
    given = PurePosixPath((part.get_filename() or "").replace("\\", "/")).name.strip()
    if given in ("", ".", ".."):
        return f"attachment-{at + 1}.eml" if part.get_content_type() == "message/rfc822" else f"attachment-{at + 1}"
    return given


def _bytes(part: EmailMessage) -> bytes:
    if part.get_content_type() == "message/rfc822":
        inner = part.get_payload()
        message = inner[0] if isinstance(inner, list) and inner else None
        return message.as_bytes() if isinstance(message, Message) else b""
    data = part.get_payload(decode=True)
    return data if isinstance(data, bytes) else b""


def _members(file: FileContent) -> Sequence[Member]:
    return [Member(name, partial(_bytes, part)) for name, part in _attachments(_message(file))]


MAIL = Reader("mail message", (".eml",), _recognises, _read, rank=30, members=_members)
