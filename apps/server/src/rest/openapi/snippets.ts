const block = (language: string, lines: string[]): string[] => ['```' + language, ...lines, '```', '']

/** The first calls with curl, JavaScript and Python: the leaderboard, a sign-in, and a call with its token. */
export const snippets = (url: string): string[] => [
  ...block('sh', [`curl -s ${url}/teams/leaderboard`]),
  'Sign in once, then send the token:',
  '',
  ...block('sh', [
    `TOKEN=$(curl -s ${url}/auth/login -H 'content-type: application/json' \\`,
    `  -d '{"email":"sara@example.ma","password":"Zellige2026"}' | jq -r .data.token)`,
    `curl -s ${url}/users/profile -H "authorization: Bearer $TOKEN"`,
  ]),
  ...block('js', [
    `const api = '${url}'`,
    "const post = (path, body) => fetch(api + path, { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) })",
    "const { data } = await (await post('/auth/login', { email: 'sara@example.ma', password: 'Zellige2026' })).json()",
    'const profile = await fetch(`${api}/users/profile`, { headers: { authorization: `Bearer ${data.token}` } })',
    'console.log((await profile.json()).data.user.name)',
  ]),
  ...block('python', [
    'import requests',
    '',
    `api = "${url}"`,
    'login = requests.post(f"{api}/auth/login", json={"email": "sara@example.ma", "password": "Zellige2026"})',
    'token = login.json()["data"]["token"]',
    'profile = requests.get(f"{api}/users/profile", headers={"authorization": f"Bearer {token}"})',
    'print(profile.json()["data"]["user"]["name"])',
  ]),
]
