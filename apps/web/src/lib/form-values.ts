/** An object schema of the contract, by its input type. */
interface ObjectSchema<Input> {
  shape: Record<keyof Input, unknown>
  _zod: { input: Input }
}

/** The type of an entity's property for a field of type `T`: null is allowed if the field can be empty. */
type Stored<T> = T | ('' extends T ? null : never)

/** The initial values of a form that edits an entity, with empty strings for nulls. */
export function formValues<Input extends object>(
  { shape }: ObjectSchema<Input>,
  entity: { [Name in keyof Input]: Stored<Input[Name]> },
): Input {
  const names = Object.keys(shape) as (keyof Input)[]
  return Object.fromEntries(names.map((name) => [name, entity[name] ?? ''])) as Input
}
