/** The least configuration that an edge starts with, and an operator; its secrets are named and stand elsewhere. */
export const LEAST_CONFIG = `
[publisher]
domain = "pub.example"
origin_url = "https://origin.pub.example"
proxy_secret = "proxy-entry"
[ec]
passphrase = "passphrase-entry"
[[handlers]]
path = "^/_ts/admin"
username = "ops"
password = "admin-entry"
`;
