/** The number of most recent ids remembered per kind. */
const REMEMBERED = 20

/** Fields that are not named after the kind of object. */
const KIND_OF: Record<string, string> = {
  leaderboard: 'teams',
  applications: 'submissions',
  newOwner: 'users',
  owner: 'users',
  submittedBy: 'users',
  actor: 'users',
  rolesNeeded: 'roles',
  entry: 'blacklist',
  blacklist: 'blacklist',
}

/** The kind of object that a field refers to: `teams` for `teamId`, `team` and `teams`. */
export function kindOf(field: string): string {
  const name = field.replace(/Id$/, '')
  return KIND_OF[name] ?? name.replace(/s?$/, 's')
}

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
        ids.filter((other) => other !== id),
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
