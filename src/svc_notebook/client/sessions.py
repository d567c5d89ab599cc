"""Sessions for embedding, and what an embed tenant holds."""

from __future__ import annotations

from typing import TYPE_CHECKING
from urllib.parse import quote

from .records import Group, UserAttributeRecord

if TYPE_CHECKING:
    from .calls import Calls

__all__ = ["AsyncSession", "AsyncTenant", "Session", "Tenant"]


class _SessionBase:
    def __init__(self, calls: Calls, session_id: str, deployment_id: int) -> None:
        self._calls = calls
        self.session_id = session_id
        self.deployment_id = deployment_id

    def __repr__(self) -> str:
        return f"<{type(self).__name__} {self.session_id[:4]}… for deployment {self.deployment_id}>"

    def embed_url(self, kind: str = "chat") -> str:
        """Where to point an iframe. It is as secret as the session itself.

        Parameters
        ----------
        kind
            ``"chat"``, ``"dashboard/{id}"``, or ``"app"`` for both.

        Examples
        --------
        >>> page = client.generate_session(deployment_id=1, external_id="ana").embed_url("dashboard/overview")
        >>> page.partition("?")[0]
        'http://svc.local/embed/d/1/dashboard/overview'
        """
        path = "/".join(quote(part, safe="") for part in kind.split("/"))
        return f"{self._calls.address.base_url}/embed/d/{self.deployment_id}/{path}?session={quote(self.session_id)}"


class Session(_SessionBase):
    """A minted session: valid for five minutes, exchanged once.

    Made by :meth:`Client.generate_session`; ``session_id`` and ``deployment_id`` say which it is.

    Examples
    --------
    >>> session = client.generate_session(deployment_id=1, external_id="ana")
    >>> session
    <Session ...… for deployment 1>
    """

    def token(self) -> str:
        """Exchange the session for a user token; works once.

        Raises
        ------
        AuthenticationFailed
            When the session has been used, has expired or was revoked.

        Examples
        --------
        >>> token = client.generate_session(deployment_id=1, external_id="ana").token()
        >>> as_ana = svc.Client(client.base_url, token=token, transport=client.transport)
        """
        return self._calls.portal.run(self._calls.session_token(self.session_id))

    def revoke(self) -> None:
        """End the session and the token it was exchanged for.

        Examples
        --------
        >>> client.generate_session(deployment_id=1, external_id="ana").revoke()
        """
        self._calls.portal.run(self._calls.revoke_session(self.session_id))


class AsyncSession(_SessionBase):
    """:class:`Session` with ``await``."""

    async def token(self) -> str:
        """As :meth:`Session.token`."""
        return await self._calls.portal.arun(self._calls.session_token(self.session_id))

    async def revoke(self) -> None:
        """As :meth:`Session.revoke`."""
        await self._calls.portal.arun(self._calls.revoke_session(self.session_id))


class _TenantBase:
    def __init__(self, calls: Calls, name: str) -> None:
        self._calls = calls
        self.name = name

    def __repr__(self) -> str:
        return f"<{type(self).__name__} {self.name}>"


class Tenant(_TenantBase):
    """An embed tenant: its own groups and user attributes, page after page read for you."""

    def groups(self) -> list[Group]:
        """All groups of this embed tenant."""
        return self._calls.portal.run(self._calls.groups(self.name))

    def user_attributes(self) -> list[UserAttributeRecord]:
        """All user attributes of this embed tenant."""
        return self._calls.portal.run(self._calls.user_attributes(self.name))

    def delete_group(self, id: int | str) -> None:  # noqa: A002  # the record's own word
        """Delete a group by its id; refused while it has members."""
        self._calls.portal.run(self._calls.delete_from_tenant(self.name, "groups", id))

    def delete_user_attribute(self, id: int | str) -> None:  # noqa: A002  # the record's own word
        """Delete an attribute by its id, with the values stored under it."""
        self._calls.portal.run(self._calls.delete_from_tenant(self.name, "user-attributes", id))


class AsyncTenant(_TenantBase):
    """:class:`Tenant` with ``await``."""

    async def groups(self) -> list[Group]:
        """As :meth:`Tenant.groups`."""
        return await self._calls.portal.arun(self._calls.groups(self.name))

    async def user_attributes(self) -> list[UserAttributeRecord]:
        """As :meth:`Tenant.user_attributes`."""
        return await self._calls.portal.arun(self._calls.user_attributes(self.name))

    async def delete_group(self, id: int | str) -> None:  # noqa: A002  # the record's own word
        """As :meth:`Tenant.delete_group`."""
        await self._calls.portal.arun(self._calls.delete_from_tenant(self.name, "groups", id))

    async def delete_user_attribute(self, id: int | str) -> None:  # noqa: A002  # the record's own word
        """As :meth:`Tenant.delete_user_attribute`."""
        await self._calls.portal.arun(self._calls.delete_from_tenant(self.name, "user-attributes", id))
