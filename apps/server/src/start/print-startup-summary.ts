/** Prints the addresses, and the first administrator with the generated password, if there is one. */
export function printStartupSummary(
  appUrl: string,
  inboxUrl: string | undefined,
  admin: { email: string; password?: string } | null,
): void {
  const lines = [
    ['App', appUrl],
    ['API docs', `${appUrl}/api/docs`],
    ...(inboxUrl ? [['Mail inbox', inboxUrl]] : []),
    ...(admin ? [['First admin', admin.password ? `${admin.email} / ${admin.password}` : admin.email]] : []),
  ]
  process.stdout.write(
    `\n${lines.map(([what, where]) => `  ${`${what}:`.padEnd(13)}${where}`).join('\n')}\n\n  Ready after ${process.uptime().toFixed(1)} s. Stop with Ctrl-C.\n\n`,
  )
}
