/** Scrolls to a heading and focuses it, after the pending render. */
export function goToHeading(id: string): void {
  requestAnimationFrame(() => {
    const heading = document.getElementById(id)
    heading?.scrollIntoView({ block: 'start' })
    heading?.focus({ preventScroll: true })
  })
}
