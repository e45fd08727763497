/** The number of most recent ids remembered per kind. */
const REMEMBERED = 20

const KIND_OF: Record<string, string> = {
  team: 'teams',
  leaderboard: 'teams',
  challenge: 'challenges',
  submission: 'submissions',
  applications: 'submissions',
  user: 'users',
  newOwner: 'users',
  owner: 'users',
  submittedBy: 'users',
  actor: 'users',
  role: 'roles',
  rolesNeeded: 'roles',
  warning: 'warnings',
  entry: 'blacklist',
}

/** The kind of object that a field refers to: `teams` for `teamId` and `team`. */
export const kindOf = (field: string): string => KIND_OF[field.replace(/Id$/, '')] ?? field

/** Existing ids, collected from responses. */
export class KnownIds {
  readonly #ids = new Map<string, string[]>()

  add(kind: string, id: string): void {
    const ids = this.of(kind)
    if (!ids.includes(id)) this.#ids.set(kind, [...ids, id].slice(-REMEMBERED))
  }

  /** Removes a deleted id. */
  forget(id: string): void {
    for (const [kind, ids] of this.#ids)
      this.#ids.set(
        kind,
        ids.filter((candidate) => candidate !== id),
      )
  }

  /** Collects every id in a successful response. */
  gather(value: unknown, field = ''): void {
    if (Array.isArray(value)) for (const item of value) this.gather(item, field)
    else if (typeof value === 'object' && value !== null)
      for (const [key, inner] of Object.entries(value))
        if (typeof inner === 'string' && (key === 'id' || key.endsWith('Id')))
          this.add(kindOf(key === 'id' ? field : key), inner)
        else this.gather(inner, key)
  }

  of(kind: string): string[] {
    return this.#ids.get(kind) ?? []
  }
}
