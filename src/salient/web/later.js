/** Fields that are set before anybody reads them. */

/** Stands for a value that comes later: with the map, with the game, with the first answer. @returns {any} */
export const later = () => undefined;
