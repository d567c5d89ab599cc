"""What questions in German and French are in the English that is read: each kind of phrase, number, date and name."""

from __future__ import annotations

import pytest
from stored import hold

from svc_notebook.analyst.offline.languages import ModelNames, rendered

NAMES = [["flights"], ["orders"], ["revenue"], ["price"], ["customer", "name"], ["order", "date"], ["Umsatz"], ["pays"]]
GERMAN = """\
Wie viele Bestellungen gab es im Mai 2023?
Wie hoch war der Umsatz im letzten Quartal?
Wie hoch ist der durchschnittliche Preis je Produkt?
Zeige mir die 5 teuersten Produkte
Zeig mir die drei besten Kunden nach Umsatz
Welche Kunden haben mehr als 1.250,50 Euro ausgegeben?
Welche Kunden haben weniger als drei Bestellungen?
Kunden mit mindestens 10 und höchstens 20 Bestellungen
Umsatz zwischen 5.3.2022 und 31.12.2022
Umsatz vom 1. Januar bis zum 31. März
Umsatz seit März 2022 pro Monat
Bestellungen vor dem 05.03.2023
Bestellungen nach dem 5. März 2023
Umsatz in den letzten 30 Tagen
Umsatz im Vergleich zum Vorjahr
Vergleiche den Umsatz von 2022 mit 2023
Anteil der Bestellungen ohne Rabatt
Prozentsatz der Bestellungen aus Deutschland
Verteilung der Preise
Entwicklung des Umsatzes pro Woche
Summe der Preise nach Land und Produkt
Durchschnitt der Preise je Kunde absteigend
Anzahl verschiedener Kunden pro Jahr
Welches Produkt wurde am häufigsten bestellt?
Wer hat am meisten bestellt?
In welchem Monat war der Umsatz am höchsten?
An welchem Wochentag gibt es die wenigsten Bestellungen?
Warum ist der Umsatz im April gesunken?
Gibt es Bestellungen ohne Kunden?
Liste alle Bestellungen von „Müller & Söhne“ auf
Bestellungen aus Deutschland, aber nicht aus Berlin
Bestellungen aus Deutschland oder Österreich
Umsatz in Prozent nach Region
Umsatz als Kreisdiagramm
Umsatz pro Monat als Linie
Kunden, die nie bestellt haben
Kunden, die seit über 90 Tagen nicht bestellt haben
Wie lange dauert eine Lieferung im Schnitt?
Wie oft wurde das Sofa gekauft?
Wann war die letzte Bestellung?
Gesamtumsatz pro Kunde
Bestelldatum der ältesten Bestellung
Umsatzanteil nach Produktgruppe
laufende Summe des Umsatzes
Umsatz 2022 gegenüber 2023 je Monat
die günstigsten Flüge
Flüge über 500 km
Flüge unter 90 Minuten
Nur Deutschland
Und im Jahr davor?
Sortiere aufsteigend nach Name
Ohne Stornierungen bitte
Umsatz heute und gestern
Umsatz in dieser Woche
Umsatz der letzten zwölf Monate
war das mehr als im Vorjahr?
""".splitlines()
FRENCH = """\
Combien de commandes y a-t-il eu en mai 2023 ?
Quel était le chiffre d'affaires au dernier trimestre ?
Quel est le prix moyen par produit ?
Montre-moi les 5 produits les plus chers
les trois meilleurs clients par chiffre d'affaires
Quels clients ont dépensé plus de 1 250,50 euros ?
Quels clients ont moins de trois commandes ?
clients avec au moins 10 et au plus 20 commandes
commandes entre le 5/3/2022 et le 31/12/2022
commandes du 1er janvier au 31 mars
chiffre d'affaires depuis mars 2022 par mois
commandes avant le 05/03/2023
commandes après le 5 mars 2023
commandes des 30 derniers jours
ventes par rapport à l'année précédente
Compare les ventes de 2022 et de 2023
part des commandes sans remise
pourcentage de commandes d'Allemagne
répartition des prix
évolution des ventes par semaine
somme des prix par pays et par produit
moyenne des prix par client en ordre décroissant
nombre de clients distincts par an
Quel produit a été commandé le plus souvent ?
Qui a commandé le plus ?
Dans quel mois les ventes étaient-elles les plus élevées ?
Quel jour de la semaine a le moins de commandes ?
Pourquoi les ventes ont-elles baissé en avril ?
Y a-t-il des commandes sans client ?
Liste toutes les commandes de « Dupont & Fils »
commandes de France mais pas de Paris
commandes de France ou de Belgique
ventes en pourcentage par région
ventes en camembert
clients qui n'ont jamais commandé
Combien de temps dure une livraison en moyenne ?
Quand a eu lieu la dernière commande ?
médiane des prix
ventes d'aujourd'hui et d'hier
ventes de cette semaine
ventes des douze derniers mois
vols annulés par compagnie
les vols de plus de 500 km
vols de moins de 90 minutes
seulement la France
et l'année d'avant ?
trie par nom
le top 10 des clients par pays
""".splitlines()
ENGLISH = """\
How many orders are there in Los Angeles?
orders per month since May 2023
Compare revenue of 2022 and 2023
top 10 customers
vol by month
export of orders in region Nord
""".splitlines()


@pytest.mark.parametrize("question", [*GERMAN, *FRENCH, *ENGLISH])
def test_a_question_is_said_in_the_english_it_was(question: str) -> None:
    heard = rendered(question, ModelNames(lambda: NAMES))
    assert (heard is None) == (question in ENGLISH)
    hold("rendered", [question], heard.question if heard is not None else "as it is")


@pytest.mark.parametrize(
    ("question", "date"),
    [
        ("commandes avant le 05/03/2023", "2023-03-05"),
        ("ventes entre le 5/3/2022 et le 31/12/2022", "2022-03-05"),
        ("Bestellungen vor dem 5/3/2023", "2023-03-05"),
        ("Bestellungen vor dem 05.03.2023", "2023-03-05"),
    ],
)
def test_the_day_stands_before_the_month(question: str, date: str) -> None:
    heard = rendered(question, ModelNames(lambda: NAMES))
    assert heard is not None and date in heard.question
