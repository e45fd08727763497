const block = (language: string, lines: string[]): string[] => ['```' + language, ...lines, '```', '']

/** Markdown lines with sample requests: the leaderboard by curl, and the caller's profile by curl, JavaScript and Python. */
export const createSnippets = (url: string): string[] => [
  ...block('sh', [`curl -s ${url}/teams/leaderboard`]),
  'Create an access token in your account settings, under “Access tokens”, and send it:',
  '',
  ...block('sh', ['TOKEN=cmt_…', `curl -s ${url}/users/profile -H "authorization: Bearer $TOKEN"`]),
  ...block('js', [
    `const api = '${url}'`,
    "const token = 'cmt_…'",
    'const response = await fetch(`${api}/users/profile`, { headers: { authorization: `Bearer ${token}` } })',
    'const { data } = await response.json()',
    'console.log(data.user.name)',
  ]),
  ...block('python', [
    'import json',
    'from urllib.request import Request, urlopen',
    '',
    `api = "${url}"`,
    'token = "cmt_…"',
    'request = Request(f"{api}/users/profile", headers={"authorization": f"Bearer {token}"})',
    'print(json.load(urlopen(request))["data"]["user"]["name"])',
  ]),
]
