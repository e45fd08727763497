/** Where the community meets. Set at build time: VITE_CHAT_GROUP_URL, VITE_CHAT_SERVER_URL, VITE_SUPPORT_EMAIL. */
const env = import.meta.env as Record<string, string | undefined>

export const COMMUNITY_LINKS = {
  chatGroup: env['VITE_CHAT_GROUP_URL'] ?? 'https://chat.whatsapp.com/',
  chatServer: env['VITE_CHAT_SERVER_URL'] ?? 'https://discord.com/',
  supportEmail: env['VITE_SUPPORT_EMAIL'] ?? `support@${window.location.hostname}`,
} as const
