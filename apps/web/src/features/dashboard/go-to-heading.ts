/** Brings a heading into view with the focus on it, once what was chosen is drawn. */
export function goToHeading(id: string): void {
  requestAnimationFrame(() => {
    const heading = document.getElementById(id)
    heading?.scrollIntoView({ block: 'start' })
    heading?.focus({ preventScroll: true })
  })
}
