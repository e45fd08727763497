import { getTableColumns, type Table } from 'drizzle-orm'

type ColumnsOf<T extends Table> = T['_']['columns']
type SharedNames<T extends Table, Shape> = keyof ColumnsOf<T> & keyof Shape

/**
 * The columns of `table` that have the name of a field of `shape`, a Zod object's shape. For fields that are stored as they are shown
 * or entered, so that they need not be listed again.
 */
export function sharedColumns<T extends Table, Shape extends object>(
  table: T,
  shape: Shape,
): Pick<ColumnsOf<T>, SharedNames<T, Shape>> {
  return Object.fromEntries(
    Object.entries(getTableColumns(table)).filter(([name]) => Object.hasOwn(shape, name)),
  ) as Pick<ColumnsOf<T>, SharedNames<T, Shape>>
}

/** The entries of `values` that `columns` names; a field without a column is left out, so it cannot be written or shown. */
export function pickColumns<V extends object, C extends object>(values: V, columns: C): Pick<V, keyof V & keyof C> {
  return Object.fromEntries(Object.entries(values).filter(([name]) => Object.hasOwn(columns, name))) as Pick<
    V,
    keyof V & keyof C
  >
}
