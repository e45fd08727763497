/** Hostile names and texts: each would run, load or draw something if it were parsed as markup. */
export const PAYLOADS = [
  '<script>alert(1)</script>',
  '<img src=x onerror=alert(1)>',
  '<svg onload=alert(1)>',
  '<svg/onload=alert(1)//',
  '"><img src=x onerror=alert(1)>',
  "'><svg onload=alert(1)>",
  '" onfocus=alert(1) autofocus="',
  "' onmouseover=alert(1) x='",
  '<iframe srcdoc="<script>alert(1)">',
  '<iframe src=javascript:alert(1)>',
  '<object data=javascript:alert(1)>',
  '<embed src=javascript:alert(1)>',
  '<a href=javascript:alert(1)>here</a>',
  '<body onload=alert(1)>',
  '<details open ontoggle=alert(1)>',
  '<video src=x onerror=alert(1)>',
  '<audio src onerror=alert(1)>',
  '<input autofocus onfocus=alert(1)>',
  '<select autofocus onfocus=alert(1)>',
  '<marquee onstart=alert(1)>alert(1)',
  '<math><mi xlink:href=javascript:alert(1)>',
  '<base href=//evil.example/alert(1)/>',
  '<meta http-equiv=refresh content=0;alert(1)>',
  '<link rel=stylesheet href=//x/alert(1)>',
  '<style>*{color:red}/*alert(1)*/</style>',
  '<form action=javascript:alert(1)><button>',
  '<button formaction=javascript:alert(1)>',
  '</textarea><script>alert(1)</script>',
  '</title><script>alert(1)</script>',
  '<!--<img src="--><img src=x onerror=alert(1)>',
  '<noscript><p title="</noscript><img onerror=alert(1)>',
  '<template><script>alert(1)</script>',
  '<xss style=animation-name:x onanimationstart=alert(1)>',
  '<img src=x onerror&#61;alert(1)>',
  '&lt;img src=x onerror=alert(1)&gt;',
  '<scr<script>ipt>alert(1)</script>',
  '{{constructor.constructor("alert(1)")()}}',
  '${alert(1)} <%= alert(1) %> #{alert(1)}',
  '[here](javascript:alert(1)) ![x](x"onerror="alert(1))',
  'javascript:alert(1)//%0aalert(1)',
] as const

/** As many payloads as fit, from the n-th on. */
export function payloadText(length: number, from = 0): string {
  let text = ''
  for (let nth = 0; nth < PAYLOADS.length; nth++) {
    const next = `${text}${PAYLOADS[(from + nth) % PAYLOADS.length]} `
    if (next.length > length) break
    text = next
  }
  return text.trim()
}

/** The payloads short enough for a name. */
export const payloadsUpTo = (length: number): string[] => PAYLOADS.filter((payload) => payload.length <= length)
