"""The renderer's own words in the three languages."""

LANGUAGES = ("en", "it", "fr")

WORDS = {
    "legend": ("Legend", "Legenda", "Légende"),
    "bridge": ("Bridge", "Ponte", "Pont"),
    "blown": ("Blown bridge", "Ponte distrutto", "Pont détruit"),
    "unbuilt": ("Bridge not yet built", "Ponte da costruire", "Pont à construire"),
    "area": ("Off-map area", "Area fuori mappa", "Zone hors carte"),
    "kilometres": ("kilometres", "chilometri", "kilomètres"),
    "hex": ("hex", "esagono", "hexagone"),
    "north": ("N", "N", "N"),
    "sources": ("Source of each hex", "Fonte di ogni esagono", "Source de chaque hexagone"),
    "rulebook": ("Rulebook", "Regolamento", "Livre de règles"),
    "derived": ("Derived from the rulebook", "Dedotto dal regolamento", "Déduit des règles"),
    "geography": ("Geography", "Geografia", "Géographie"),
    "history": ("History", "Storia", "Histoire"),
    "house": ("Our own choice", "Scelta nostra", "Notre choix"),
    "credit": (
        "Reconstructed from geography: © OpenStreetMap contributors (ODbL), GeoNames and Sonny (CC BY 4.0), "
        "Copernicus/EEA, GSHHG, Natural Earth",
        "Ricostruita dalla geografia: © collaboratori di OpenStreetMap (ODbL), GeoNames e Sonny (CC BY 4.0), "
        "Copernicus/AEA, GSHHG, Natural Earth",
        "Reconstituée d'après la géographie : © contributeurs d'OpenStreetMap (ODbL), GeoNames et Sonny (CC BY 4.0), "
        "Copernicus/AEE, GSHHG, Natural Earth",
    ),
}


def word(key: str, language: str) -> str:
    """Return one of the renderer's words; a language it lacks is an error that lists those it has."""
    if language not in LANGUAGES:
        raise ValueError(f"No map texts in {language!r}: choose one of {', '.join(LANGUAGES)}.")
    return WORDS[key][LANGUAGES.index(language)]
