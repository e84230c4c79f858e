import type { Language } from '../../text/languages.ts';
import { de } from './de.ts';
import { en, type Words } from './en.ts';
import { es } from './es.ts';
import { fr } from './fr.ts';
import { it } from './it.ts';
import { pl } from './pl.ts';

export const tables: Record<Language, Words> = { en, de, fr, es, it, pl };
