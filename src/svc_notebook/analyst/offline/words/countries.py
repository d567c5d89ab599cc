"""Countries by their codes, and what is called after them: *IT* is Italy, *Polish* is of Poland."""

from __future__ import annotations

__all__ = ["CODES", "DEMONYMS"]

DEMONYMS = {
    "american": ("usa", "us", "united states", "america"),
    "british": ("uk", "united kingdom", "england", "britain"),
    "european": ("europe",),
    "asian": ("asia",),
    "african": ("africa",),
    "dutch": ("netherlands", "holland"),
    "korean": ("korea", "south korea"),
    "czech": ("czech republic", "czechia"),
    **{
        demonym: (country,)
        for country, demonym in (
            pair.split(":")
            for pair in "japan:japanese germany:german france:french italy:italian spain:spanish china:chinese "
            "india:indian canada:canadian mexico:mexican brazil:brazilian russia:russian australia:australian "
            "switzerland:swiss sweden:swedish austria:austrian poland:polish belgium:belgian denmark:danish "
            "norway:norwegian finland:finnish portugal:portuguese ireland:irish greece:greek turkey:turkish "
            "hungary:hungarian romania:romanian ukraine:ukrainian bulgaria:bulgarian croatia:croatian serbia:serbian "
            "slovakia:slovak slovenia:slovenian iceland:icelandic egypt:egyptian israel:israeli thailand:thai "
            "vietnam:vietnamese indonesia:indonesian argentina:argentinian chile:chilean colombia:colombian "
            "peru:peruvian nigeria:nigerian kenya:kenyan morocco:moroccan pakistan:pakistani cuba:cuban".split()
        )
    },
}
CODES = {
    "us": "united states", "gb": "united kingdom", "uk": "united kingdom", "nl": "netherlands", "kr": "south korea",
    "za": "south africa", "nz": "new zealand", "cz": "czech republic", "lu": "luxembourg",
    **dict(
        pair.split(":")
        for pair in "de:germany fr:france it:italy es:spain at:austria ch:switzerland be:belgium dk:denmark se:sweden "
        "no:norway fi:finland pl:poland pt:portugal ie:ireland gr:greece tr:turkey hu:hungary ro:romania ua:ukraine "
        "bg:bulgaria hr:croatia rs:serbia sk:slovakia si:slovenia is:iceland ru:russia jp:japan cn:china in:india "
        "ca:canada mx:mexico br:brazil ar:argentina cl:chile co:colombia pe:peru au:australia eg:egypt il:israel "
        "th:thailand vn:vietnam id:indonesia ng:nigeria ke:kenya ma:morocco pk:pakistan sg:singapore".split()
    ),
}  # fmt: skip
"""Country codes of two letters, as far as data of every day hold them."""
