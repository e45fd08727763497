/** The first administrator by default, created only if nothing but this machine can reach the server. */
export const DEFAULT_ADMIN = { email: 'admin@community.local', password: 'Zellige-2026', name: 'Community Admin' }

/** The password of every demo member. */
export const DEMO_PASSWORD = 'Demo-2026'

/** Passwords that this repository has published: README.md, compose.yaml or their earlier versions. */
export const PUBLISHED_PASSWORDS: readonly string[] = [DEFAULT_ADMIN.password, DEMO_PASSWORD]

/** Values of APP_SECRET that this repository has published. */
export const PUBLISHED_SECRETS: readonly string[] = ['only-for-this-machine-0123456789abcdef']
