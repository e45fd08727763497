/** `trpcClient.teams.leave`, or several requests as one: `{ mutate: async (input) => ... }`. */
export interface Procedure<Input, Output> {
  mutate: (input: Input) => Promise<Output>
}

/** The same procedure, with its input made from another value. */
export const withInput = <Input, Output, Value>(
  procedure: Procedure<Input, Output>,
  toInput: (value: Value) => NoInfer<Input>,
): Procedure<Value, Output> => ({ mutate: (value) => procedure.mutate(toInput(value)) })

/** The same procedure, which resolves to undefined where it would reject. */
export const ignoringErrors = <Input, Output>(
  procedure: Procedure<Input, Output>,
): Procedure<Input, Output | undefined> => ({ mutate: (input) => procedure.mutate(input).catch(() => undefined) })
