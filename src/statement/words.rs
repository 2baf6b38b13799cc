//! The few words that grader adds to a statement, in its language.

/// The words of a language.
#[derive(Debug)]
pub(super) struct Words {
    language: &'static str,
    pub(super) input: &'static str,
    pub(super) output: &'static str,
    pub(super) interaction: &'static str,
    pub(super) read: &'static str,
    pub(super) write: &'static str,
    pub(super) time_limit: &'static str,
    pub(super) memory_limit: &'static str,
    pub(super) figure: &'static str,
    pub(super) table: &'static str,
}

const ALL: &[Words] = &[
    Words {
        language: "en",
        input: "Sample Input",
        output: "Sample Output",
        interaction: "Sample Interaction",
        read: "Read",
        write: "Write",
        time_limit: "Time limit",
        memory_limit: "Memory limit",
        figure: "Figure",
        table: "Table",
    },
    Words {
        language: "de",
        input: "Beispieleingabe",
        output: "Beispielausgabe",
        interaction: "Beispielinteraktion",
        read: "Lesen",
        write: "Schreiben",
        time_limit: "Zeitlimit",
        memory_limit: "Speicherlimit",
        figure: "Abbildung",
        table: "Tabelle",
    },
    Words {
        language: "es",
        input: "Entrada de ejemplo",
        output: "Salida de ejemplo",
        interaction: "Interacción de ejemplo",
        read: "Lectura",
        write: "Escritura",
        time_limit: "Límite de tiempo",
        memory_limit: "Límite de memoria",
        figure: "Figura",
        table: "Tabla",
    },
    Words {
        language: "fr",
        input: "Exemple d’entrée",
        output: "Exemple de sortie",
        interaction: "Exemple d’interaction",
        read: "Lecture",
        write: "Écriture",
        time_limit: "Limite de temps",
        memory_limit: "Limite de mémoire",
        figure: "Figure",
        table: "Tableau",
    },
    Words {
        language: "nl",
        input: "Voorbeeldinvoer",
        output: "Voorbeelduitvoer",
        interaction: "Voorbeeldinteractie",
        read: "Lezen",
        write: "Schrijven",
        time_limit: "Tijdslimiet",
        memory_limit: "Geheugenlimiet",
        figure: "Figuur",
        table: "Tabel",
    },
    Words {
        language: "sv",
        input: "Exempel på indata",
        output: "Exempel på utdata",
        interaction: "Exempel på interaktion",
        read: "Läs",
        write: "Skriv",
        time_limit: "Tidsgräns",
        memory_limit: "Minnesgräns",
        figure: "Figur",
        table: "Tabell",
    },
];

/// The words of a language such as `en` or `pt-BR`; English if grader has none.
pub(super) fn words_of(language: &str) -> &'static Words {
    let main = language.split(['-', '_']).next().unwrap_or_default();
    ALL.iter().find(|words| words.language == main).unwrap_or(&ALL[0])
}
