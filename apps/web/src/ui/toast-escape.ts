// A toast is the top layer, and would take Escape from the dialog it is drawn in.
const handedOn = new WeakSet<Event>()

/** Leaves an Escape that reached a toast to the dialog below it. */
export function handOnToDialog(event: KeyboardEvent): void {
  event.preventDefault()
  handedOn.add(event)
}

/** Is this an Escape that a toast left to its dialog? */
export const isHandedOn = (event: KeyboardEvent): boolean => handedOn.has(event)
