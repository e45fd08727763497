import type { Challenge } from '@community/contract'

/** `daysLeft` is negative for expired challenges. */
interface DemoChallenge {
  title: string
  description: string
  daysLeft: number
  isActive: boolean
  points: number
  category: Challenge['category']
  difficulty: Challenge['difficulty']
  maxSubmissions: number
  requirements: readonly string[]
  tags: readonly string[]
}

const createChallenge = (
  title: string,
  description: string,
  [category, difficulty, points]: readonly [Challenge['category'], Challenge['difficulty'], number],
  daysLeft: number,
  requirements: readonly string[],
  options: { isActive?: boolean; maxSubmissions?: number; tags?: readonly string[] } = {},
): DemoChallenge => ({
  title,
  description,
  category,
  difficulty,
  points,
  daysLeft,
  requirements,
  isActive: true,
  maxSubmissions: 1,
  tags: [],
  ...options,
})

export const CHALLENGES: readonly DemoChallenge[] = [
  createChallenge(
    'Bus times that work offline',
    'Build a page that shows the next buses of one Moroccan city and still works in a tunnel.',
    ['Web Development', 'Intermediate', 200],
    -40,
    [
      'Works without a connection after the first visit',
      'Under 100 kB on the first load',
      'Arabic and French',
      'Source code with a licence',
    ],
    { maxSubmissions: 2, tags: ['pwa', 'maps'] },
  ),
  createChallenge(
    'هوية بصرية لسوق محلي',
    'صمّموا هوية كاملة لسوق أسبوعي: شعار وألوان ولافتات تُقرأ من بعيد.',
    ['Design', 'Beginner', 120],
    -25,
    ['شعار بالعربية والفرنسية', 'دليل ألوان وخطوط', 'ثلاثة تطبيقات على الأقل'],
    { tags: ['branding'] },
  ),
  createChallenge(
    'Un rapport d’accessibilité',
    'Choisissez un service public en ligne, testez-le au clavier et au lecteur d’écran, proposez des corrections.',
    ['Web Development', 'Advanced', 250],
    -12,
    ['Dix problèmes documentés', 'Une correction démontrée', 'Des mots compréhensibles par tous'],
    { tags: ['a11y', 'wcag'] },
  ),
  createChallenge(
    'Rainfall, honestly plotted',
    'Take thirty years of rainfall of one region and make one plot that tells the truth.',
    ['Data Science', 'Intermediate', 180],
    -3,
    ['The data’s source is named', 'The code runs from a clean clone', 'One paragraph of reading'],
    { maxSubmissions: 3, tags: ['climate', 'python'] },
  ),
  createChallenge(
    'A voice for the blind passenger',
    'Record the announcements of a tram line in Darija, Tamazight and French.',
    ['Other', 'Beginner', 100],
    1,
    ['At least 20 announcements', 'Clean sound, no music', 'A list of who speaks'],
    { tags: ['voice'] },
  ),
  createChallenge(
    'Deploy it in five minutes',
    'From an empty server to a running app with a database, a backup and a restore that was tried.',
    ['DevOps', 'Advanced', 300],
    2,
    ['One command', 'A restore that is shown on video', 'No secret in the repository'],
    { tags: ['docker', 'postgres'] },
  ),
  createChallenge(
    'Pocket accounts',
    'A mobile app in which a small shop notes what it sells and who owes what.',
    ['Mobile Development', 'Intermediate', 220],
    6,
    ['Usable with one thumb', 'Works offline', 'Right-to-left done right'],
    { maxSubmissions: 2, tags: ['flutter', 'kotlin'] },
  ),
  createChallenge(
    'Darija spelling helper',
    'A small model or a set of rules that suggests one consistent spelling for Darija in Latin letters.',
    ['AI/ML', 'Expert', 500],
    14,
    ['An evaluation set of 200 sentences', 'Results that can be repeated', 'Runs on a laptop', 'A page to try it'],
    { maxSubmissions: 2, tags: ['nlp', 'darija'] },
  ),
  createChallenge(
    'Zellige generator',
    'Draw the classic star patterns with code, each with its construction explained.',
    ['Design', 'Intermediate', 150],
    20,
    ['Five patterns', 'SVG output', 'An explanation a pupil understands'],
    { tags: ['svg', 'geometry'] },
  ),
  createChallenge(
    'Course partagée',
    'Une API de covoiturage entre villes universitaires : simple, documentée, testée.',
    ['Web Development', 'Beginner', 130],
    30,
    ['Documentation OpenAPI', 'Des tests', 'Aucune donnée personnelle dans les journaux'],
    { tags: ['api'] },
  ),
  createChallenge(
    'Save the oasis',
    'Satellite pictures and a plan: which palm groves lose water, and who should know?',
    ['Data Science', 'Expert', 600],
    45,
    ['Open data only', 'A map', 'A one-page brief for a mayor'],
    { isActive: false, tags: ['remote-sensing'] },
  ),
  createChallenge(
    'Jeu pour apprendre le tifinagh',
    'Un petit jeu qui enseigne les lettres tifinaghes à des enfants de sept ans.',
    ['Other', 'Intermediate', 160],
    -8,
    ['Jouable sur un téléphone à 800 dirhams', 'Aucune publicité', 'Sons enregistrés par vous'],
    { isActive: false, tags: ['game', 'tifinagh'] },
  ),
]
