"""General English of data questions: words that mean the same, adjectives that name a quantity, abbreviations.

Nothing here belongs to one data set; a model's own synonyms come from its metadata and weigh more.
"""

from __future__ import annotations

from collections.abc import Iterable

from .text import singular, stem

__all__ = [
    "ABBREVIATIONS",
    "ADJECTIVES",
    "ANY_ROW_NOUNS",
    "COUNTRIES",
    "FILLER",
    "FILLER_WORDS",
    "KINDS_TOO",
    "LIGHT_VERBS",
    "OPPOSITES",
    "ROW_NOUNS",
    "STATES",
    "TRADES",
    "expand",
    "is_like",
    "related",
    "stand_ins",
]

ABBREVIATIONS: dict[str, str] = {
    "amt": "amount", "amnt": "amount", "qty": "quantity", "num": "number", "no": "number", "nbr": "number", "dt": "date", "yr": "year",
    "mo": "month", "desc": "description", "descr": "description", "pct": "percent", "perc": "percent", "dept": "department",
    "emp": "employee", "cust": "customer", "prod": "product", "cat": "category", "acct": "account", "addr": "address",
    "tx": "transaction", "txn": "transaction", "trans": "transaction", "tot": "total", "avg": "average", "med": "medication",
    "fname": "first name", "lname": "last name", "crs": "course", "hr": "hour", "hrs": "hour", "min": "minimum",
    "max": "maximum", "temp": "temperature", "lat": "latitude", "lon": "longitude", "lng": "longitude", "id": "id",
    "stu": "student", "prof": "professor", "inst": "institution", "org": "organization", "mgr": "manager", "loc": "location",
    "src": "source", "dest": "destination", "dep": "departure", "arr": "arrival", "dob": "birth date", "doc": "doctor",
    "forename": "first name", "surname": "last name", "diag": "diagnosis", "treat": "treatment", "rx": "prescription", "curr": "current", "prev": "previous", "std": "standard",
    "stat": "status", "sts": "status", "ref": "reference", "inv": "invoice", "ord": "order", "vol": "volume", "wt": "weight",
    "ht": "height", "bday": "birthday", "govt": "government", "dist": "district", "cnt": "count", "enr": "enrollment",
    "ww": "worldwide", "intl": "international", "mpg": "miles per gallon", "hp": "horsepower", "sqft": "square feet",
    "appr": "approval", "addtl": "additional", "auth": "author", "pub": "publication", "conf": "conference", "tel": "phone",
    "identifier": "id", "identification": "id", "nr": "number", "apt": "apartment", "atb": "atb", "pop": "population",
    "gdp": "gross domestic product", "rev": "revenue", "exp": "expense", "bal": "balance", "grp": "group", "lvl": "level",
    "cyl": "cylinder", "msrp": "price", "geo": "geographic", "rec": "record", "seq": "sequence", "uid": "user id",
    "nm": "name", "bkd": "booked", "chk": "checked", "est": "estimated", "instr": "instructor", "mech": "mechanic", "yob": "birth year",
    "cd": "code", "mkt": "market", "sq": "square", "ft": "feet", "pmt": "payment", "pymt": "payment",
    "appt": "appointment", "svc": "service", "mfr": "manufacturer", "mfg": "manufacturing", "ttl": "total", "prop": "property",
    "bldg": "building", "veh": "vehicle", "drv": "driver", "pkg": "package", "cmt": "comment", "freq": "frequency",
    "disc": "discount", "mbr": "member", "evt": "event", "usr": "user", "ctry": "country", "cntry": "country", "wk": "week",
    "mth": "month", "mnth": "month", "dur": "duration", "sched": "scheduled", "orig": "origin", "rtn": "return",
    "rcvd": "received", "recd": "received", "whse": "warehouse", "reqd": "required", "tm": "time", "yrs": "years",
    "val": "value", "batt": "battery", "elev": "elevation", "ver": "version", "fy": "fiscal year", "bud": "budget",
    "typ": "type", "pd": "paid", "cxl": "cancelled", "canc": "cancelled", "cncl": "cancelled",
    "precip": "precipitation", "prcp": "precipitation", "temps": "temperature", "hum": "humidity", "spd": "speed",
    "inj": "injured", "viol": "violation", "insp": "inspection", "aff": "affected", "surf": "surface", "cond": "condition",
    "prim": "primary", "crit": "critical", "equip": "equipment", "maint": "maintenance", "sev": "severity",
    "prio": "priority", "disch": "discharge", "adm": "admission", "attn": "attendance", "occ": "occupancy",
    "nbhd": "neighborhood", "neigh": "neighborhood", "lic": "license",
    "dmg": "damage", "qual": "quality", "notif": "notification",
    "lang": "language", "meth": "method", "mgmt": "management", "assgn": "assigned", "resp": "response",
}  # fmt: skip

# Words of one line may stand for each other (a weaker match than the word itself).
_GROUPS = """
country nation nationality origin homeland
company firm enterprise corporation
salary wage pay payroll compensation remuneration earn
department division
booking reservation
song track tune
phone cellphone mobile telephone
journalist reporter
teacher instructor professor lecturer
school college university
region area zone territory
city town municipality
state province
location place site venue
revenue sale gross income turnover earning proceed
cost expense price fee charge expenditure spending
profit earning margin gain profitability
budget cost spending
amount value total sum
length duration time runtime
mileage mpg economy efficiency
customer client buyer shopper consumer
employee staff worker personnel
salesperson salespeople seller
product item good article merchandise
kind type category class sort genre style
rating score grade stars
rank position standing
film movie picture
car vehicle automobile auto
plane aircraft airplane jet tail
airline carrier
maker manufacturer producer make brand
flight trip
job occupation position role profession title work
pay salary wage compensation remuneration
gender sex
doctor physician clinician
patient case
drug medication medicine
teacher instructor lecturer professor faculty
student pupil learner
course class subject
school college university
department division faculty
author writer
paper publication article
purchase order buy
sale sell
transaction payment
date day time
year season
name title label
birth born birthday
begin start open
end finish close expire expiration expiry
headquarter headquarters hq office
population inhabitant people resident
weight mass
height tall altitude elevation
speed velocity
temperature heat
precipitation rain rainfall
snow snowfall
match game fixture
insurer insurance
discount rebate reduction
quantity amount volume number unit
stock inventory
store shop outlet branch
supplier vendor provider
delivery shipment shipping ship
member user
review comment feedback
phone telephone mobile
address street
identity name
code id key number
description detail details
status condition
fail failure
success successful succeed
capacity size
house home building property estate
apartment flat unit dwelling
repair maintenance servicing fix
donation gift contribution
tenant renter lodger occupant
method mode means
problem issue fault
satisfaction csat
agent assignee
result outcome
reason cause
tonnage weight
experience seniority
donor donator giver
home hometown
resolve close solve
power horsepower
segment group
level degree
owner holder
singer vocalist
ship vessel boat
athlete player
rank level
theme topic subject
award prize
compensation payment
admission admit intake
visit attendance
injury accident
crash accident collision
crew staff
nationality citizenship
marketplace market
platform system
hurt injured injury wounded
kill killed die died dies death dead fatal fatality deadly
alcohol booze drunk intoxicated
officer policeman policewoman cop warden constable
agency bureau authority
shut close closed closure
fridge refrigerator
vermin pest rodent roach mice
fine penalty
violation infraction breach offence offense
suspect perpetrator offender
weapon gun firearm
appeal contest dispute challenge
compensation payout
mend repair fix
kit equipment gear
outage blackout interruption
voltage volt
consumption usage
output production generation yield
illness disease ailment
vaccine vaccination jab immunization
dose dosage
tip gratuity
drink beverage
restaurant eatery diner
cart basket
coupon voucher
refund reimbursement
warehouse depot
invoice bill
tax levy vat
investor shareholder
crew team squad
coach trainer
referee umpire
stadium arena venue
crowd spectator attendance
lease tenancy
neighborhood neighbourhood
borough district
garden yard backyard
floor storey
luggage baggage
passenger traveler traveller rider
guest visitor
boss manager supervisor
vacation holiday leave
grade mark
exam test
homework assignment
enrollment enrolment registration
semester term
parcel package
truck lorry
cargo freight load
pickup collection
fuel petrol gasoline
complaint grievance
licence license permit
garbage trash rubbish waste refuse
street road
citizen resident
viewer audience
magazine journal
attendee participant
organizer organiser
speaker presenter
electricity energy
ticket citation
bug defect flaw
defect fault
priority urgency
severity seriousness
reply response
machine device equipment
scrap waste
harvest yield crop
wind gust
pet animal
colour color
centre center
programme program
theatre theater
catalogue catalog
organisation organization
tyre tire
rental rent
pupil student
nickname alias
headline title
tenure seniority
landlord owner
pharmacy chemist
occupancy utilization utilisation
upkeep maintenance
"""

# The same, where the model has no other word for what is said.
_LACKING = """
kid child youngster
price amount
appointment session consultation
"""

ADJECTIVES: dict[str, str] = {
    "heavy": "weight", "light": "weight", "weigh": "weight", "heavier": "weight", "heaviest": "weight", "lightest": "weight", "lighter": "weight", "longer": "length duration distance",
    "long": "length duration distance time", "longest": "length duration distance time", "short": "length duration distance",
    "shortest": "length duration distance", "tall": "height", "tallest": "height", "high": "height elevation altitude",
    "old": "age", "older": "age", "oldest": "age", "young": "age", "younger": "age", "youngest": "age",
    "expensive": "price cost fare fee budget", "cheap": "price cost fare fee budget", "cheapest": "price cost fare fee budget", "costly": "price cost",
    "priciest": "price cost", "fast": "speed", "faster": "speed", "fastest": "speed", "quickest": "speed", "slow": "speed", "slowest": "speed",
    "profitable": "profit", "late": "delay", "delayed": "delay", "punctual": "delay", "rich": "income salary revenue",
    "populous": "population", "populated": "population", "big": "size area capacity", "bigger": "size", "biggest": "size area",
    "earn": "profit salary income revenue", "earns": "profit salary income revenue", "paid": "salary", "efficient": "efficiency mpg",
    "powerful": "power horsepower", "warm": "temperature", "hot": "temperature", "hottest": "temperature",
    "warmest": "temperature", "cold": "temperature", "coldest": "temperature", "windy": "wind speed", "windiest": "wind speed",
    "rainy": "precipitation", "far": "distance", "farthest": "distance", "furthest": "distance", "distant": "distance", "nearest": "distance",
    "closest": "distance", "rainiest": "precipitation", "wettest": "precipitation", "richest": "income salary revenue",
    "highest": "height elevation altitude", "costliest": "price cost", "wide": "width", "widest": "width",
    "rated": "rating", "popular": "popularity", "deep": "depth", "deepest": "depth", "experienced": "experience",
    "dear": "price cost", "dearer": "price cost", "dearest": "price cost", "pricey": "price cost", "loud": "noise", "loudest": "noise",
    "deadliest": "killed deaths fatalities", "costs": "cost price", "cost": "price", "weighs": "weight", "costing": "price cost",
}  # fmt: skip

TRADES = frozenset(
    "order invoice purchase sale transaction payment claim donation gift pledge deal contract loan bill refund grant "
    "deposit bid bet booking quote".split()
)
"""What is as large as the money that it is about."""

# What one row of a table of events may be called, whatever its table is.
ROW_NOUNS = tuple("trip ride journey incident event case sighting".split())
ANY_ROW_NOUNS = ("row", "record", "entry")  # of whatever table; where there is one alone, of that

# Words that deny a flag of another name.
OPPOSITES: dict[str, str] = {
    "failed": "passed", "failing": "passed", "fail": "passed", "lost": "won", "closed": "open", "open": "closed",
    "absent": "present", "single": "married", "dead": "alive", "disabled": "enabled", "idle": "active",
    "rejected": "approved", "declined": "approved", "outstanding": "paid", "lapsed": "active", "missed": "attended",
    "inactive": "active", "private": "public", "outdoor": "indoor", "indoor": "outdoor", "outdoors": "indoor",
    "indoors": "outdoor", "offline": "online", "online": "offline",
}  # fmt: skip

COUNTRIES = frozenset("""
usa us u.s. united states|uk united kingdom england|germany|france|italy|spain|japan|china|india|canada|mexico|brazil|russia|
australia|netherlands|holland|belgium|switzerland|austria|sweden|norway|denmark|finland|poland|portugal|ireland|greece|turkey|
south korea|korea|argentina|chile|colombia|peru|egypt|south africa|nigeria|kenya|israel|saudi arabia|uae|thailand|vietnam|
indonesia|malaysia|singapore|philippines|new zealand|czech republic|hungary|romania|ukraine|bulgaria|croatia|serbia|slovakia|
iran|iraq|pakistan|bangladesh|morocco|algeria|tunisia|cuba|venezuela|ecuador|bolivia|uruguay|paraguay|iceland|luxembourg|
europe|asia|africa|north america|south america|oceania|american|united states of america|scotland|wales|hong kong|taiwan
""".replace("\n", "").split("|")) | {"usa", "us", "united states", "uk", "united kingdom", "england"}  # fmt: skip

STATES: dict[str, str] = dict(zip(
    "AL AK AZ AR CA CO CT DE FL GA HI ID IL IN IA KS KY LA ME MD MA MI MN MS MO MT NE NV NH NJ NM NY NC ND OH OK OR PA RI SC "
    "SD TN TX UT VT VA WA WV WI WY DC".split(),
    "alabama|alaska|arizona|arkansas|california|colorado|connecticut|delaware|florida|georgia|hawaii|idaho|illinois|indiana|iowa|"
    "kansas|kentucky|louisiana|maine|maryland|massachusetts|michigan|minnesota|mississippi|missouri|montana|nebraska|nevada|"
    "new hampshire|new jersey|new mexico|new york|north carolina|north dakota|ohio|oklahoma|oregon|pennsylvania|rhode island|"
    "south carolina|south dakota|tennessee|texas|utah|vermont|virginia|washington|west virginia|wisconsin|wyoming|"
    "district of columbia".split("|"), strict=True,
))  # fmt: skip

# Words that carry no reading of their own: left over, they do not count as not understood.
FILLER_WORDS = frozenset("""
a an the this that these those it its they them their there here he she his her i me my we us our you your who whom whose what
which when where why how is are was were be been being am do does did doing done have has had having can could will would shall
should may might must of in on at to from for with without within into onto upon by about as than then so if or and but nor not
no yes also too very just only own same such both all any some each every more most other others up out off over under again
further please show give tell display list find get let want need like see know provide return present draw plot create make
generate visualize visualise illustrate depict describe produce build render output report compute calculate determine identify
present retrieve fetch look looking corresponding correspond respective respectively associated belonging belong related relate
regarding concerning per via using use used based according among amongst between across along around during while
result results data dataset database table row rows record records entry entries information info details value values item items
thing things chart graph plot diagram figure visualization visualisation picture view bar bars line lines pie axis axes x y
column columns field fields attribute attributes variable variables number numbers amount quantity total overall
include including included exist exists available contain contains containing made make makes come comes happen happened occur
occurred take takes taken place came go goes going went gone lie lies lying currently current now today simple simply exactly actual actually different various distinct
individual specific particular given certain following first one ones many much several few lot lots way ways what's whats
group groups grouped grouping sort sorted order ordered ordering rank ranked arrange arranged ascending descending asc desc
lasted lasting lasts still already yet ever actual actually question answer query hi hello hey thanks thank ok okay well kindly could would i'd i'll let's lets us don't doesn't isn't
compare comparison compared comparing relationship relation correlation correlate distribution trend trends change changes
changed vary varies varied variation develop developed evolve evolved evolution look looks affect affects
people company we're you're they're it's there's that's ever each's across-the-board along versus vs against
number's have't above below following set sets kinds depict depicting depicts demonstrate demonstrating indicate indicating
represent represents representing showing shows shown plotted displayed displaying listed listing lists showcase reveal
correspondingly known recorded measured logged noted ensure either identical residence utilize enumerate arranged depicts presenting grouping pertaining pertain ranging falls fall participate vary insensitive case match exactly string strings inclusive exclusive rounded decimal places format general segregated wise gotten become became page pages nearest boring symbols gridlines extend occurrence tried part together multiple academic proper offer offers render cluster name's associated presented visualised visualized done using draw drawn
""".split())  # fmt: skip
# Of these, what may be a kind of something all the same: *company accounts*, where accounts are of companies or others.
KINDS_TOO = frozenset(
    """
people company individual general current other academic multiple page table row record entry item thing chart graph plot line bar
picture view column field number amount quantity order group set value part string symbol
""".split()
)
FILLER = frozenset(stem(word) for word in FILLER_WORDS)
# Verbs that only join what stands before and behind them; as words, since nouns of their stems may be members.
LIGHT_VERBS = frozenset(
    "handle handled handles deal deals dealt worked works work serve served serves do did took came come comes".split()
)


def _groups() -> dict[str, frozenset[str]]:
    table: dict[str, set[str]] = {}
    for line in _GROUPS.strip().splitlines():
        stems = [stem(word) for word in line.split()]
        for one in stems:
            table.setdefault(one, set()).update(other for other in stems if other != one)
    for word, targets in ADJECTIVES.items():
        table.setdefault(stem(word), set()).update(stem(target) for target in targets.split())
    return {one: frozenset(others) for one, others in table.items()}


_RELATED = _groups()
_NOUNS: dict[str, set[str]] = {}
"""The words that have others, in the singular, by their stems."""
for _word in (*_GROUPS.split(), *ADJECTIVES):
    _NOUNS.setdefault(stem(_word), set()).add(singular(_word))
_STAND_INS = {
    stem(word): frozenset(map(stem, line.split())) for line in _LACKING.strip().splitlines() for word in line.split()
}


def stand_ins(word_stem: str) -> frozenset[str]:
    """Stems that stand for ``word_stem`` where a model has no other word for it."""
    return _STAND_INS.get(word_stem, frozenset())


def is_like(word: str) -> bool:
    """Whether a word is one that general English has others for, and no plural that is cut like one: *rats*, *rating*."""
    one = singular(word)
    return one == word or one in _NOUNS.get(stem(word), frozenset((one,)))


def related(word_stem: str) -> frozenset[str]:
    """Stems that general English lets stand for ``word_stem``."""
    return _RELATED.get(word_stem, frozenset())


def expand(parts: Iterable[str]) -> tuple[str, ...]:
    """Abbreviations among the parts of a name written out (``sb tx amt`` → ``sb transaction amount``)."""
    words = _PAIRS.get(tuple(parts), tuple(parts))
    said = (_dated(word, words[at + 1 : at + 2]) for at, word in enumerate(words))
    return tuple(word for part in said for word in ABBREVIATIONS.get(part, part).split())


_PAIRS: dict[tuple[str, ...], tuple[str, ...]] = {
    ("int", "rate"): ("interest", "rate"),
    ("annual", "inc"): ("annual", "income"),
}
"""Names that two shortened words make together."""
_DONE = {
    "inst": "installed", "decom": "decommissioned", "upd": "updated", "mod": "modified", "term": "terminated",
    "reg": "registered", "dlv": "delivered", "ret": "returned", "exp": "expiry",
}  # fmt: skip
"""What is short for something that was done, before a date."""


def _dated(word: str, behind: tuple[str, ...]) -> str:
    return _DONE.get(word, word) if behind in (("dt",), ("date",), ("ts",), ("on",), ("at",)) else word
