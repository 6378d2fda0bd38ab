/** Its secrets are only named here. */
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
