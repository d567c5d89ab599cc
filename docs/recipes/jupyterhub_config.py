"""A JupyterHub whose people ask one analytics service, each as who they are: `jupyterhub -f jupyterhub_config.py`.

Beside what a Hub needs anyway (an authenticator, a spawner). Install `svc-notebook[server]` where the Hub runs, and
`svc-notebook` where the notebooks run.
"""

ANALYTICS = "https://analytics.example.com"
CHAT = f"{ANALYTICS}/api/v1/public/acme/agents/data-analyst/chat/stream-chat-state"
TOKENS = "http://127.0.0.1:8082"  # where the service below listens, as the notebook servers reach it

c = get_config()  # noqa: F821  # the Hub's own

c.JupyterHub.services = [
    {
        "name": "analytics",
        "url": TOKENS,
        "command": ["svc-notebook", "hub", "--url", ANALYTICS],
        "environment": {"SVC_API_KEY_FILE": "/etc/svc-notebook/hub.key"},  # the account's key stays here
    }
]
USES = "access:services!service=analytics"
c.JupyterHub.load_roles = [{"name": "user", "scopes": ["self", USES]}]
c.Spawner.server_token_scopes = ["users:activity!user", "access:servers!user", "read:users:groups!user", USES]
c.Spawner.environment = {
    "SVC_BASE_URL": ANALYTICS,
    "SVC_CHAT_API_URL": CHAT,
    "SVC_TOKEN_URL": f"{TOKENS}/services/analytics/token",
}
