// What stands on the chips of a reading besides its own words, in the language the reading is in.

const ENGLISH = {
  bar: "How the question was read", measure: "measure", by: "by", show: "show", where: "where", having: "groups where", sorted: "sorted by", as: "as",
  said: "said in the question", kept: "kept from before", assumed: "assumed", change: "Change", remove: "Remove", apply: "Apply", cancel: "Cancel",
  undo: "Undo", undoing: "Undo the change of the reading", rows: "Rows", chart: "Chart", grain: "By", order: "Order", value: "Value", ascending: "ascending",
  descending: "descending", without: "The same without", with: "The same with", first: "The same, the first", shownAs: "The same as", insteadOf: "instead of",
  rising: "the order ascending", falling: "the order descending", limit: "limit",
  marks: { bar: "bars", line: "a line", area: "an area", point: "points", arc: "a pie", rect: "a heat map", table: "a table" }, grains: {},
};
const READING_WORDS = {
  de: {
    bar: "Wie die Frage gelesen wurde", measure: "Zahl", by: "nach", show: "zeige", where: "wobei", having: "Gruppen mit", sorted: "sortiert nach", as: "als",
    said: "in der Frage gesagt", kept: "von vorher behalten", assumed: "angenommen", change: "Ändern:", remove: "Weglassen:", apply: "Anwenden",
    cancel: "Abbrechen", undo: "Zurücknehmen", undoing: "Die Änderung zurücknehmen", rows: "Zeilen", chart: "Diagramm", grain: "Nach", order: "Reihenfolge",
    value: "Wert", ascending: "aufsteigend", descending: "absteigend", without: "Dasselbe ohne", with: "Dasselbe mit", first: "Dasselbe, die ersten",
    shownAs: "Dasselbe als", insteadOf: "statt", rising: "aufsteigender Reihenfolge", falling: "absteigender Reihenfolge", limit: "Grenze",
    marks: { bar: "Balken", line: "Linie", area: "Fläche", point: "Punkte", arc: "Kreis", rect: "Heatmap", table: "Tabelle" },
    grains: { year: "Jahr", quarter: "Quartal", month: "Monat", week: "Woche", day: "Tag", hour: "Stunde" },
  },
  fr: {
    bar: "Comment la question a été lue", measure: "nombre", by: "par", show: "montrer", where: "où", having: "groupes où", sorted: "trié par", as: "en",
    said: "dit dans la question", kept: "gardé d’avant", assumed: "supposé", change: "Modifier :", remove: "Retirer :", apply: "Appliquer",
    cancel: "Annuler", undo: "Revenir", undoing: "Annuler la modification", rows: "Lignes", chart: "Graphique", grain: "Par", order: "Ordre",
    value: "Valeur", ascending: "croissant", descending: "décroissant", without: "La même chose sans", with: "La même chose avec",
    first: "La même chose, les premiers :", shownAs: "La même chose en", insteadOf: "au lieu de", rising: "l’ordre croissant", falling: "l’ordre décroissant",
    limit: "limite",
    marks: { bar: "barres", line: "ligne", area: "aire", point: "points", arc: "secteurs", rect: "carte de chaleur", table: "tableau" },
    grains: { year: "année", quarter: "trimestre", month: "mois", week: "semaine", day: "jour", hour: "heure" },
  },
};

/** @param {string|null|undefined} language @returns {typeof ENGLISH} */
export const readingWords = (language) => READING_WORDS[language ?? ""] ?? ENGLISH;
