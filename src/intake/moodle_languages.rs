//! The languages in which Moodle writes its grading worksheet and its list of participants. A language is a row of
//! [`LANGUAGES`].

use csv::StringRecord;
use jiff::civil::DateTime;

use super::names::folded;

/// The meanings of the headings, in English.
const MEANINGS: [&str; 15] = [
    "Identifier",
    "Full name",
    "Group",
    "Grade",
    "Maximum Grade",
    "Scale",
    "Last modified (submission)",
    "Last modified (grade)",
    "Feedback comments",
    "First name",
    "Last name",
    "ID number",
    "Username",
    "Email address",
    "Groups",
];

/// A language other than English.
pub(super) struct Language {
    /// The words for each heading, in the order of [`MEANINGS`]; several words if its versions differ.
    headings: [&'static [&'static str]; MEANINGS.len()],
    /// The text before the number of a participant.
    participant: &'static str,
    months: [&'static str; 12],
}

/// From the language packs of Moodle: `assign.php`, `assignfeedback_comments.php`, `moodle.php` and `langconfig.php`.
static LANGUAGES: [Language; 7] = [
    // German
    Language {
        headings: [
            &["ID"],
            &["Vollständiger Name"],
            &["Gruppe"],
            &["Bewertung"],
            &["Bestwertung"],
            &["Skala", "Bewertungsskala"],
            &["Zuletzt geändert (Abgabe)"],
            &["Zuletzt geändert (Bewertung)"],
            &["Feedback als Kommentar"],
            &["Vorname"],
            &["Nachname"],
            &["ID-Nummer"],
            &["Anmeldename"],
            &["E-Mail-Adresse"],
            &["Gruppen"],
        ],
        participant: "Teilnehmer/in",
        months: [
            "januar",
            "februar",
            "märz",
            "april",
            "mai",
            "juni",
            "juli",
            "august",
            "september",
            "oktober",
            "november",
            "dezember",
        ],
    },
    // French
    Language {
        headings: [
            &["Identifiant"],
            &["Nom complet"],
            &["Groupe"],
            &["Note"],
            &["Note maximale"],
            &["Barème"],
            &["Dernière modification (travail remis)"],
            &["Dernière modification (note)"],
            &["Feedback par commentaires"],
            &["Prénom"],
            &["Nom de famille", "Nom"],
            &["Numéro d’identification"],
            &["Nom d’utilisateur"],
            &["Adresse de courriel"],
            &["Groupes"],
        ],
        participant: "Participant",
        months: [
            "janvier",
            "février",
            "mars",
            "avril",
            "mai",
            "juin",
            "juillet",
            "août",
            "septembre",
            "octobre",
            "novembre",
            "décembre",
        ],
    },
    // Spanish
    Language {
        headings: [
            &["Identificador"],
            &["Nombre completo"],
            &["Grupo"],
            &["Calificación"],
            &["Calificación máxima"],
            &["Escala"],
            &["Última modificación (entrega)"],
            &["Última modificación (calificación)"],
            &["Comentarios de retroalimentación"],
            &["Nombre"],
            &["Apellido(s)"],
            &["Número de ID"],
            &["Nombre de usuario"],
            &["Dirección de correo"],
            &["Grupos"],
        ],
        participant: "Participante",
        months: [
            "enero",
            "febrero",
            "marzo",
            "abril",
            "mayo",
            "junio",
            "julio",
            "agosto",
            "septiembre",
            "octubre",
            "noviembre",
            "diciembre",
        ],
    },
    // Catalan
    Language {
        headings: [
            &["Identificador"],
            &["Nom complet"],
            &["Grup"],
            &["Qualificació"],
            &["Qualificació màxima"],
            &["Escala"],
            &["Darrera modificació (tramesa)"],
            &["Darrera modificació (qualificació)"],
            &["Comentaris de retroacció."],
            &["Nom"],
            &["Cognoms"],
            &["Número ID"],
            &["Nom d'usuari"],
            &["Adreça electrònica"],
            &["Grups"],
        ],
        participant: "Participant",
        months: [
            "gener", "febrer", "març", "abril", "maig", "juny", "juliol", "agost", "setembre", "octubre", "novembre",
            "desembre",
        ],
    },
    // Italian
    Language {
        headings: [
            &["Identificativo"],
            &["Nome completo"],
            &["Gruppo"],
            &["Valutazione"],
            &["Valutazione massima"],
            &["Scala"],
            &["Ultima modifica (consegna)"],
            &["Ultima modifica (valutazione)"],
            &["Commenti"],
            &["Nome"],
            &["Cognome"],
            &["Codice identificativo"],
            &["Username"],
            &["Indirizzo email"],
            &["Gruppi"],
        ],
        participant: "Partecipante",
        months: [
            "gennaio",
            "febbraio",
            "marzo",
            "aprile",
            "maggio",
            "giugno",
            "luglio",
            "agosto",
            "settembre",
            "ottobre",
            "novembre",
            "dicembre",
        ],
    },
    // Dutch
    Language {
        headings: [
            &["Identificatie"],
            &["Volledige naam"],
            &["Groep"],
            &["Cijfer"],
            &["Maximaal cijfer"],
            &["Schaal"],
            &["Laatst gewijzigd (inzending)"],
            &["Laatst gewijzigd (beoordeling)"],
            &["Feedback tekstvak"],
            &["Voornaam"],
            &["Achternaam"],
            &["Nummer (ID)"],
            &["Gebruikersnaam"],
            &["E-mailadres"],
            &["Groepen"],
        ],
        participant: "Deelnemer",
        months: [
            "januari",
            "februari",
            "maart",
            "april",
            "mei",
            "juni",
            "juli",
            "augustus",
            "september",
            "oktober",
            "november",
            "december",
        ],
    },
    // Portuguese
    Language {
        headings: [
            &["Identificador"],
            &["Nome completo"],
            &["Grupo"],
            &["Avaliação", "Nota"],
            &["Nota máxima"],
            &["Escala"],
            &["Última atualização (submissão)"],
            &["Última atualização (avaliação)"],
            &["Comentários de feedback"],
            &["Nome"],
            &["Apelido"],
            &["Número de identificação (ID)"],
            &["Nome de utilizador"],
            &["E-mail"],
            &["Grupos"],
        ],
        participant: "Participante",
        months: [
            "janeiro",
            "fevereiro",
            "março",
            "abril",
            "maio",
            "junho",
            "julho",
            "agosto",
            "setembro",
            "outubro",
            "novembro",
            "dezembro",
        ],
    },
];

impl Language {
    /// The meaning of a heading, in English.
    fn meaning(&self, word: &str) -> Option<&'static str> {
        let is_it = |words: &&[&str]| words.iter().any(|known| folded(known) == word);
        self.headings.iter().position(is_it).map(|at| MEANINGS[at])
    }

    fn known(&self, words: &[String]) -> usize {
        words.iter().filter(|word| self.meaning(word).is_some()).count()
    }

    /// The time that Moodle writes in this language: the day, the month in words, the year, the hour and the minute.
    pub(super) fn time(&self, text: &str) -> Option<DateTime> {
        let words: Vec<String> = text.split(|c: char| !c.is_alphanumeric()).map(str::to_lowercase).collect();
        let month = words.iter().find_map(|word| self.months.iter().position(|month| month == word))?;
        let numbers: Option<Vec<i16>> = words
            .iter()
            .filter(|word| word.starts_with(|c: char| c.is_ascii_digit()))
            .map(|word| word.parse().ok())
            .collect();
        let [day, year, hour, minute] = numbers?[..] else { return None };
        let small = |number: i16| i8::try_from(number).ok();
        DateTime::new(year, i8::try_from(month + 1).ok()?, small(day)?, small(hour)?, small(minute)?, 0, 0).ok()
    }
}

/// The number in an identifier of Moodle: 12 of `Participant 12` and `Teilnehmer/in12`. Other ids stay as they are.
pub(super) fn participant_number(identifier: &str) -> &str {
    let mut rests = participant_words().filter_map(|word| identifier.strip_prefix(word)).map(str::trim_start);
    let is_number = |rest: &&str| !rest.is_empty() && rest.bytes().all(|byte| byte.is_ascii_digit());
    rests.find(is_number).unwrap_or(identifier)
}

/// The words before the number of a participant.
fn participant_words() -> impl Iterator<Item = &'static str> {
    LANGUAGES.iter().map(|language| language.participant).chain(["Participant"])
}

/// Whether a name is what an anonymous assignment has instead: `Participant 18`. Names of files lack signs: `Teilnehmerin 18`.
pub(super) fn is_hidden_name(name: &str) -> bool {
    let name = folded(name);
    let is_number = |rest: &str| !rest.is_empty() && rest.bytes().all(|byte| byte.is_ascii_digit());
    participant_words().any(|word| name.strip_prefix(&folded(word)).is_some_and(is_number))
}

/// The language of a list: that which has most of its headings, if that is not English.
pub(super) fn language_of(headings: &StringRecord) -> Option<&'static Language> {
    let words: Vec<String> = headings.iter().map(folded).collect();
    let english = words.iter().filter(|word| MEANINGS.iter().any(|known| folded(known) == **word)).count();
    let most = LANGUAGES.iter().map(|language| language.known(&words)).max()?;
    // One word may be an accident.
    LANGUAGES.iter().find(|language| language.known(&words) == most).filter(|_| most > english.max(1))
}

/// What Moodle calls an English heading in the language of a list.
pub(super) fn heading_in_language(headings: &StringRecord, english: &'static str) -> &'static str {
    let at = MEANINGS.iter().position(|meaning| *meaning == english);
    language_of(headings).zip(at).map_or(english, |(language, at)| language.headings[at][0])
}

/// The headings of a list, folded, in English where Moodle writes them in another language.
pub(super) fn in_english(headings: &StringRecord) -> Vec<String> {
    let language = language_of(headings);
    let word = |heading: &str| {
        let word = folded(heading);
        language.and_then(|language| language.meaning(&word)).map_or(word, folded)
    };
    headings.iter().map(word).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_of_all_languages_are_read() {
        for (language, text) in [
            (0, "Sonntag, 1. Februar 2026, 10:15"),
            (1, "dimanche 1 février 2026, 10:15"),
            (2, "domingo, 1 de febrero de 2026, 10:15"),
            (3, "diumenge, 1 febrer 2026, 10:15"),
            (4, "domenica, 1 febbraio 2026, 10:15"),
            (5, "zondag, 1 februari 2026, 10:15"),
            (6, "domingo, 1 de fevereiro de 2026 às 10:15"),
        ] {
            let time = LANGUAGES[language].time(text).map(|time| time.to_string());
            assert_eq!(time.as_deref(), Some("2026-02-01T10:15:00"), "{text}");
        }
        for wrong in ["-", "Sonntag, 1. Februar 2026", "Sonntag, 31. Februar 2026, 10:15", "1. 2. 2026, 10:15"] {
            assert_eq!(LANGUAGES[0].time(wrong), None, "{wrong}");
        }
    }

    #[test]
    fn participants_have_numbers() {
        for (identifier, expect) in [
            ("Participant 12", "12"),
            ("Teilnehmer/in1234567", "1234567"),
            ("Participante 101", "101"),
            ("Participante", "Participante"),
            ("Participant x1", "Participant x1"),
            ("s12", "s12"),
        ] {
            assert_eq!(participant_number(identifier), expect);
        }
    }

    #[test]
    fn headings_are_those_of_the_language_with_most_of_them() {
        let words = |headings: &[&str]| in_english(&StringRecord::from(headings.to_vec()));
        for language in &LANGUAGES {
            let all: Vec<&str> = language.headings[..9].iter().map(|words| words[0]).collect();
            assert_eq!(words(&all), MEANINGS[..9].iter().map(|word| folded(word)).collect::<Vec<_>>(), "{all:?}");
        }
        // Other lists stay as they are.
        assert_eq!(words(&["student", "name", "Gruppe"]), ["student", "name", "gruppe"]);
        assert_eq!(words(&["ID", "Full name", "Group", "Nom"]), ["id", "fullname", "group", "nom"]);
    }
}
