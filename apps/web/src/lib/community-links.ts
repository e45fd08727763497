import { useQuery } from '@tanstack/react-query'
import { trpc } from './trpc.ts'

/** The community's links from the server's settings; undefined until they are loaded. */
export const useCommunityLinks = () => useQuery(trpc.system.settings.queryOptions()).data?.settings.links
