"""The way in: one client with blocking methods, one with awaiting ones; both thin over the same operations."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, Self, Unpack

from ..protocol.data import MetaResponse
from ..protocol.freshness import Freshness
from ..protocol.sessions import GroupDefinition, UserAttributeDefinition
from ..results.result import Result
from .base import ServiceClient
from .chat import AsyncChat, Chat
from .explanations import Access, Explanation
from .row_stream import AsyncRowStream, RowStream
from .sessions import AsyncSession, AsyncTenant, Session, Tenant
from .users import Attributes, UserFields

if TYPE_CHECKING:
    import pandas as pd

    from ..protocol.chat import Thread

__all__ = ["AsyncClient", "Client"]

_PARAMETERS = (ServiceClient.__doc__ or "").partition(".")[2]


class Client(ServiceClient):
    __doc__ = f"""A service on the network, with blocking calls.{_PARAMETERS}
    Examples
    --------
    >>> remote = svc.Client("https://analytics.example.com", "svc-account-key")
    >>> remote.chat(external_id="ana").ask("flights by month")  # doctest: +SKIP
    """

    def generate_session(
        self,
        *,
        deployment_id: int,
        external_id: str | None = None,
        internal_id: str | None = None,
        email: str | None = None,
        embed_tenant_name: str | None = None,
        creator_mode: bool | None = None,
        user_attributes: Attributes | None = None,
        groups: Sequence[str] | None = None,
        user_attribute_definitions: Sequence[UserAttributeDefinition | Mapping[str, Any]] | None = None,
        group_definitions: Sequence[GroupDefinition | Mapping[str, Any] | str] | None = None,
        security_context: Mapping[str, Any] | None = None,
    ) -> Session:
        """Mint a session for an external or internal user; provision the user, and in creator mode the definitions.

        Parameters
        ----------
        deployment_id
            The deployment the session is for.
        external_id
            Your own name for the person: lowercase, without spaces. The user is made on first use.
        internal_id
            Instead: the username of an internal user, who brings groups and attributes of their own.
        email
            Of an external user.
        embed_tenant_name
            The embed tenant the user belongs to: 5 to 36 characters of a-z, 0-9 and ``-``.
        creator_mode
            Take groups and attributes from the embed tenant's own catalog, and definitions along with the request.
        user_attributes
            Values by name, or a list of ``{"name", "value"}``; None as a value clears it.
        groups
            Names. None leaves memberships as they are, ``[]`` clears them, names replace them.
        user_attribute_definitions, group_definitions
            What the embed tenant defines; sending the same again changes nothing.
        security_context
            Values that policies may refer to, for this session.

        Raises
        ------
        BadRequest
            When a name, type or rule does not hold; nothing is stored then.
        AuthenticationFailed, PermissionDenied, NotFound, RateLimited
            The key; what it may do; the deployment or internal user; the account's number of external users.

        Examples
        --------
        >>> session = client.generate_session(deployment_id=1, external_id="ana", user_attributes={"carrier": ["DL"]})
        >>> session.deployment_id
        1
        """
        request = self._calls.address.generate_session(
            deployment_id=deployment_id,
            external_id=external_id,
            internal_id=internal_id,
            email=email,
            embed_tenant_name=embed_tenant_name,
            creator_mode=creator_mode,
            user_attributes=user_attributes,
            groups=groups,
            user_attribute_definitions=user_attribute_definitions,
            group_definitions=group_definitions,
            security_context=security_context,
        )
        session_id = self.portal.run(self._calls.generate_session(request))
        return Session(self._calls, session_id, deployment_id)

    def tenant(self, name: str) -> Tenant:
        """An embed tenant, to list and delete what was bootstrapped into it.

        Examples
        --------
        >>> buyers = {"embed_tenant_name": "acme-travel", "creator_mode": True, "group_definitions": ["buyers"]}
        >>> session = client.generate_session(deployment_id=1, external_id="eva", **buyers)
        >>> [group.name for group in client.tenant("acme-travel").groups()]
        ['buyers']
        """
        return Tenant(self._calls, name)

    def chat(
        self,
        *,
        chat_id: str | None = None,
        branch: str | None = None,
        is_default_branch: bool | None = None,
        **user: Unpack[UserFields],
    ) -> Chat:
        """A conversation as that user: a new one, or with ``chat_id`` an earlier one.

        Parameters
        ----------
        chat_id
            The thread to go on with.
        branch, is_default_branch
            A development branch of the data model.
        **user
            ``external_id`` with ``user_attributes``, ``groups``, ``security_context``, ``is_ephemeral``,
            ``ephemeral_ttl_seconds``; or ``internal_id``, an e-mail address. ``timezone`` goes with either.

        Raises
        ------
        ConfigurationError
            When nobody is named and the client has no default user.

        Examples
        --------
        >>> ana = client.chat(external_id="ana", groups=["airlines"], user_attributes={"carrier": ["DL"]})
        >>> ana.ask("how many flights were there?").df.iat[0, 0]  # those of Delta
        np.int64(48110)
        """
        asker = self._user(user, needed=True)
        return Chat(self._calls, asker, chat_id, branch=branch, is_default_branch=is_default_branch)

    def threads(self, limit: int | None = None, **user: Unpack[UserFields]) -> list[Thread]:
        """The user's threads, the latest first; with ``limit`` no more than so many are fetched.

        Examples
        --------
        >>> len(client.threads(limit=1))
        1
        """
        return self.portal.run(self._calls.threads(self._user(user, needed=True), limit))

    def query(self, query: str, **user: Unpack[UserFields]) -> Result:
        """Run SQL over the data model under the user's policies; without a user, as the key's own.

        Returns
        -------
        Result
            All rows, with the row filters that were applied.

        Raises
        ------
        BadRequest
            When the query is refused; the message says what to write instead.
        QueryFailed
            When it was accepted and then broke off.

        Examples
        --------
        >>> result = client.query("SELECT origin, MEASURE(count) FROM flights GROUP BY 1 ORDER BY 2 DESC")
        >>> result.rows[0]
        ['EWR', 120835]
        """
        asker = self._data_user(user)
        return self._result(query, self.portal.run(self._calls.sql(asker, query)), asker)

    def sql(self, query: str, **user: Unpack[UserFields]) -> pd.DataFrame:
        """:meth:`query` as a typed DataFrame, one row for each row of the result; see :meth:`Result.to_frame`.

        Examples
        --------
        >>> client.sql("SELECT origin, MEASURE(count) AS flights FROM flights GROUP BY 1 ORDER BY 1")
          origin  flights
        0    EWR   120835
        1    JFK   111279
        2    LGA   104662
        """
        return self.query(query, **user).to_frame()

    def stream_sql(self, query: str, **user: Unpack[UserFields]) -> RowStream:
        """All rows of a query, however many, as Arrow record batches: ``for batch in client.stream_sql(…)``.

        The service writes them to a temporary file and sends them from there; neither end holds more than a few.

        Returns
        -------
        RowStream
            An iterator and a context manager; ``.schema`` is that of every batch.

        Raises
        ------
        BadRequest
            When the query is refused.

        Examples
        --------
        >>> with client.stream_sql("SELECT flight_number, distance FROM flights") as batches:
        ...     sum(batch.num_rows for batch in batches)
        336776
        """
        asker = self._data_user(user)
        return RowStream(self.portal, self._calls.row_stream(asker, query))

    def explain(self, query: str, **user: Unpack[UserFields]) -> Explanation:
        """How the query is compiled for this user; a cell shows it as a page.

        Returns
        -------
        Explanation
            ``.sql`` and ``.parameters`` as the engine gets them, ``.row_filters`` with their reasons, ``.notes``.

        Examples
        --------
        >>> dora = {"external_id": "dora", "groups": ["airlines"], "user_attributes": {"carrier": ["DL"]}}
        >>> explained = client.explain("SELECT MEASURE(count) FROM flights", **dora)
        >>> [(each.cube, each.filter) for each in explained.row_filters]
        [('flight_facts', "carrier is 'DL'")]
        """
        return self.portal.run(self._calls.explain(self._data_user(user), query))

    def access(self, *relations: str, **user: Unpack[UserFields]) -> Access:
        """What somebody sees of these cubes and views (or of all), and why: for account keys with admin access.

        Returns
        -------
        Access
            ``.relations``: for each whether it is visible, how many of its rows are theirs, which members are shown,
            masked and hidden, and what each policy says to them. Prints as a page.

        Raises
        ------
        AuthenticationFailed, PermissionDenied
            With a user token; with a key without admin access.
        NotFound
            When there is no such cube, view or internal user.

        Examples
        --------
        >>> seen = client.access("flights", **dora)
        >>> seen.relations[0].visible
        True
        """
        return self.portal.run(self._calls.access(self._data_user(user), relations))

    def meta(self, search: str | None = None, **user: Unpack[UserFields]) -> MetaResponse:
        """What this user may ask about: all views and cubes with their members, or those nearest to ``search``.

        Examples
        --------
        >>> [cube.name for cube in client.meta("airlines").cubes][:1]
        ['flights']
        """
        return self.portal.run(self._calls.meta(self._data_user(user), search))

    def reload(self) -> Freshness:
        """Have the service read data, model and configuration again where they have changed: for admin keys.

        It looks after its files unasked too; this does it now, and says what is wrong with them. Turns that run end by
        what they began with.

        Returns
        -------
        Freshness
            ``.generation`` counts what has been answered from so far, ``.as_of`` is when its data were read.

        Raises
        ------
        BadRequest
            What is there cannot be used; the service goes on with what it has.
        ApiError
            409: it was made from objects, there is nothing to read.

        Examples
        --------
        >>> client.reload().generation > client.freshness().generation
        False
        """
        return self.portal.run(self._calls.reload())

    def freshness(self) -> Freshness:
        """What the service answers from, and in ``.held_back`` why what has changed since is not used: for admin keys.

        A service that cannot use what its files hold goes on with what it has; every result then says so in its notes.

        Examples
        --------
        >>> client.freshness().held_back  # nothing is
        ''
        """
        return self.portal.run(self._calls.freshness())

    def close(self) -> None:
        """Close connections; running chats end. ``with svc.demo() as client:`` does it at the end of the block.

        Examples
        --------
        >>> with svc.Client("https://analytics.example.com", "svc-account-key") as remote:
        ...     remote.base_url
        'https://analytics.example.com'
        """
        self.portal.run(self._calls.close())

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


class AsyncClient(ServiceClient):
    __doc__ = f"""A service on the network, with awaiting calls, from any event loop.{_PARAMETERS}
    Examples
    --------
    >>> async def seen_by(token):
    ...     async with svc.AsyncClient(client.base_url, token=token, transport=client.transport) as delta:
    ...         return [cube.name for cube in (await delta.meta()).cubes]
    >>> "flights" in asyncio.run(seen_by(client.generate_session(deployment_id=1, **dora).token()))
    True
    """

    async def generate_session(
        self,
        *,
        deployment_id: int,
        external_id: str | None = None,
        internal_id: str | None = None,
        email: str | None = None,
        embed_tenant_name: str | None = None,
        creator_mode: bool | None = None,
        user_attributes: Attributes | None = None,
        groups: Sequence[str] | None = None,
        user_attribute_definitions: Sequence[UserAttributeDefinition | Mapping[str, Any]] | None = None,
        group_definitions: Sequence[GroupDefinition | Mapping[str, Any] | str] | None = None,
        security_context: Mapping[str, Any] | None = None,
    ) -> AsyncSession:
        """As :meth:`Client.generate_session`."""
        request = self._calls.address.generate_session(
            deployment_id=deployment_id,
            external_id=external_id,
            internal_id=internal_id,
            email=email,
            embed_tenant_name=embed_tenant_name,
            creator_mode=creator_mode,
            user_attributes=user_attributes,
            groups=groups,
            user_attribute_definitions=user_attribute_definitions,
            group_definitions=group_definitions,
            security_context=security_context,
        )
        session_id = await self.portal.arun(self._calls.generate_session(request))
        return AsyncSession(self._calls, session_id, deployment_id)

    def tenant(self, name: str) -> AsyncTenant:
        """As :meth:`Client.tenant`."""
        return AsyncTenant(self._calls, name)

    def chat(
        self,
        *,
        chat_id: str | None = None,
        branch: str | None = None,
        is_default_branch: bool | None = None,
        **user: Unpack[UserFields],
    ) -> AsyncChat:
        """As :meth:`Client.chat`."""
        asker = self._user(user, needed=True)
        return AsyncChat(self._calls, asker, chat_id, branch=branch, is_default_branch=is_default_branch)

    async def threads(self, limit: int | None = None, **user: Unpack[UserFields]) -> list[Thread]:
        """As :meth:`Client.threads`."""
        return await self.portal.arun(self._calls.threads(self._user(user, needed=True), limit))

    async def query(self, query: str, **user: Unpack[UserFields]) -> Result:
        """As :meth:`Client.query`."""
        asker = self._data_user(user)
        return self._result(query, await self.portal.arun(self._calls.sql(asker, query)), asker)

    async def sql(self, query: str, **user: Unpack[UserFields]) -> pd.DataFrame:
        """As :meth:`Client.sql`."""
        result = await self.query(query, **user)
        return await asyncio.to_thread(result.to_frame)

    def stream_sql(self, query: str, **user: Unpack[UserFields]) -> AsyncRowStream:
        """As :meth:`Client.stream_sql`, for ``async with``."""
        asker = self._data_user(user)
        return AsyncRowStream(self.portal, self._calls.row_stream(asker, query))

    async def explain(self, query: str, **user: Unpack[UserFields]) -> Explanation:
        """As :meth:`Client.explain`."""
        return await self.portal.arun(self._calls.explain(self._data_user(user), query))

    async def access(self, *relations: str, **user: Unpack[UserFields]) -> Access:
        """As :meth:`Client.access`."""
        return await self.portal.arun(self._calls.access(self._data_user(user), relations))

    async def meta(self, search: str | None = None, **user: Unpack[UserFields]) -> MetaResponse:
        """As :meth:`Client.meta`."""
        return await self.portal.arun(self._calls.meta(self._data_user(user), search))

    async def reload(self) -> Freshness:
        """As :meth:`Client.reload`."""
        return await self.portal.arun(self._calls.reload())

    async def freshness(self) -> Freshness:
        """As :meth:`Client.freshness`."""
        return await self.portal.arun(self._calls.freshness())

    async def close(self) -> None:
        """As :meth:`Client.close`."""
        await self.portal.arun(self._calls.close())

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.close()
