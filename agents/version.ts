/** The version of this program, that of package.json: on cards, in documents and with `parley --version`. */
export const version = "0.1.0";
