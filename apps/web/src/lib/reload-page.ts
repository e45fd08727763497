/** How long to wait for the reload, in ms: the network may be slow, or another navigation may have cancelled it. */
const RELOAD_TIMEOUT_MS = 3000

/** A modal `<dialog>` does not inherit `inert` from the body. */
function setInert(isInert: boolean): void {
  for (const element of [document.body, ...document.querySelectorAll('dialog')]) element.inert = isInert
}

/**
 * Reloads the page and makes it inert meanwhile, because the reload would discard whatever a click does. The promise resolves
 * if the reload does not come.
 */
export async function reloadPage(): Promise<void> {
  setInert(true)
  window.location.reload()
  await new Promise((resolve) => setTimeout(resolve, RELOAD_TIMEOUT_MS))
  setInert(false)
}
