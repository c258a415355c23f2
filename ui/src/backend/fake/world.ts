/** What the in-memory twin has at its start: the folder, the settings, the memory, the history. */

import type { FileView } from "../bindings/FileView";
import type { MemoryItemView } from "../bindings/MemoryItemView";
import type { SessionSummary } from "../bindings/SessionSummary";
import type { Settings } from "../bindings/Settings";
import { documents } from "./documents";

const HOUR = 3_600_000;
const DAY = 24 * HOUR;

export const FOLDER = "/home/ana/guide-docs";
export const PROJECT_ID = "p1";

export function files(): FileView[] {
  const readable = Object.entries(documents).map(([path, units]): FileView => ({
    path,
    format: "Markdown",
    reason: null,
    nBytes: units.reduce((sum, unit) => sum + unit.source.length + 2, 40),
    nUnits: units.length,
    nConfirmed: null,
  }));
  const other = (path: string, reason: FileView["reason"], nBytes: number): FileView => ({
    path,
    format: null,
    reason,
    nBytes,
    nUnits: null,
    nConfirmed: null,
  });
  return [...readable, other("guide/logo.png", "binary", 48_211), other("prices.xlsx", "unknownFormat", 18_400)];
}

export function settings(): Settings {
  return {
    providers: [
      {
        id: "deepseek",
        name: "DeepSeek",
        baseUrl: "https://api.deepseek.com/v1",
        model: "deepseek-chat",
        protocol: "tools",
        temperature: null,
        maxOutputTokens: null,
      },
    ],
    translator: "offline",
    memory: "offline",
    lookAhead: 4,
    chunkUnits: 32,
    softLimit: 300,
    tokenCap: null,
    theme: "system",
    uiLanguage: null,
    contentSize: 15,
    lastTargetLanguage: null,
  };
}

export function memoryItems(now: number): MemoryItemView[] {
  return [
    {
      id: 1,
      kind: "terminology",
      text: "Translate “Save” as “Salvar”.",
      termSource: "Save",
      termTarget: "Salvar",
      wordingWrite: null,
      wordingInsteadOf: null,
      scope: "languages",
      state: "active",
      isSent: true,
      nApplied: 12,
      nMet: 12,
      nOverridden: 0,
      evidence: [
        { source: "Save the file.", draft: "Guarde o ficheiro.", target: "Salve o arquivo.", reason: null, at: now - DAY, fault: null, marked: null },
      ],
      nTokens: 9,
      updatedAt: now - DAY,
    },
    {
      id: 2,
      kind: "terminology",
      text: "Translate “file” as “arquivo”.",
      termSource: "file",
      termTarget: "arquivo",
      wordingWrite: null,
      wordingInsteadOf: null,
      scope: "languages",
      state: "suggested",
      isSent: false,
      nApplied: 0,
      nMet: 0,
      nOverridden: 0,
      evidence: [{ source: "Open the file.", draft: "Abra o ficheiro.", target: "Abra o arquivo.", reason: null, at: now - HOUR, fault: null, marked: null }],
      nTokens: 9,
      updatedAt: now - HOUR,
    },
    {
      id: 3,
      kind: "style",
      text: "Address the reader as “você”, in short sentences.",
      termSource: null,
      termTarget: null,
      wordingWrite: null,
      wordingInsteadOf: null,
      scope: "languages",
      state: "active",
      isSent: true,
      nApplied: 7,
      nMet: 6,
      nOverridden: 1,
      evidence: [{ source: "You can close it.", draft: "Podeis fechá-lo.", target: null, reason: "Too formal", at: now - 2 * DAY, fault: null, marked: null }],
      nTokens: 14,
      updatedAt: now - 2 * DAY,
    },
  ];
}

export function summary(id: number, title: string, source: string, target: string, updatedAt: number): SessionSummary {
  return {
    id,
    title,
    projectId: PROJECT_ID,
    folder: FOLDER,
    targetFolder: `${FOLDER}-${target.toLowerCase()}`,
    sourceLanguage: source,
    targetLanguage: target,
    nUnits: 30,
    nConfirmed: 0,
    nWaiting: 0,
    nTokens: 0,
    createdAt: updatedAt - HOUR,
    updatedAt,
    isDamaged: false,
  };
}

export function earlierSessions(now: number): SessionSummary[] {
  return [
    summary(1, "guide-docs", "en", "pt-BR", now - HOUR),
    summary(2, "release-notes", "en", "zh-Hans", now - DAY),
    summary(3, "handbook", "de", "en", now - 6 * DAY),
  ];
}
