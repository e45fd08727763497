import {
  AppWindow,
  AudioLines,
  ChartColumn,
  CodeXml,
  FileArchive,
  FileImage,
  FileText,
  Folder,
  Globe,
  type LucideIcon,
  PenTool,
  Video,
} from 'lucide-react'
import { msg } from '../lib/i18n.ts'
import type { LinkKind } from './link-services.ts'

/** How each kind of link is drawn; give the word to `t`. */
export const LINK_KINDS: Record<LinkKind, { word: string; Icon: LucideIcon }> = {
  code: { word: msg('Code'), Icon: CodeXml },
  design: { word: msg('Design'), Icon: PenTool },
  video: { word: msg('Video'), Icon: Video },
  audio: { word: msg('Audio'), Icon: AudioLines },
  image: { word: msg('Image'), Icon: FileImage },
  document: { word: msg('Document'), Icon: FileText },
  archive: { word: msg('Archive'), Icon: FileArchive },
  app: { word: msg('App'), Icon: AppWindow },
  data: { word: msg('Data'), Icon: ChartColumn },
  folder: { word: msg('Shared files'), Icon: Folder },
  page: { word: msg('Web page'), Icon: Globe },
}
