/** Null if the text is no JSON: a captive portal or a firewall may answer with a page. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}
