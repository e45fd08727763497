/** An object schema of the contract, by what goes in. */
interface ObjectSchema<Input> {
  shape: Record<keyof Input, unknown>
  _zod: { input: Input }
}

/** What an entity may hold for a field whose input is `T`: null where an empty text takes its place. */
type Stored<T> = T | ('' extends T ? null : never)

/** The values with which an entity fills a form: those of the schema's fields, an empty text for null. */
export function formValues<Input extends object>(
  { shape }: ObjectSchema<Input>,
  entity: { [Name in keyof Input]: Stored<Input[Name]> },
): Input {
  const names = Object.keys(shape) as (keyof Input)[]
  return Object.fromEntries(names.map((name) => [name, entity[name] ?? ''])) as Input
}
