/** Outlines of the icons, drawn on a grid of 16. */

export const icons = {
  alert: "M8 2.2 14.5 13.5h-13zM8 6.5v3.2M8 11.5v.2",
  back: "M10 3 5 8l5 5",
  check: "M3 8.5 6.5 12 13 4.5",
  chevronDown: "M4 6.5 8 10.5l4-4",
  chevronRight: "M6.5 4 10.5 8l-4 4",
  close: "M4 4l8 8M12 4l-8 8",
  command: "M3 4.5h10M3 8h10M3 11.5h6",
  cross: "M4 4l8 8M12 4l-8 8",
  edit: "M3 13l.6-2.9L10.8 3l2.2 2.2-7.1 7.2zM9.3 4.5l2.2 2.2",
  export: "M8 2v8M5 5l3-3 3 3M3 9v4.5h10V9",
  file: "M4 2h5l3 3v9H4zM9 2v3h3",
  fold: "M2.5 3h11v10h-11zM6 3v10",
  foldRight: "M2.5 3h11v10h-11zM10 3v10",
  folder: "M2 4h4l1.5 1.5H14V13H2z",
  guide: "M3 3h4.2L8 3.8 8.8 3H13v9.5H8.8L8 13.3l-.8-.8H3zM8 3.8v9.5",
  history: "M2.5 8A5.5 5.5 0 1 0 4.2 4L2.5 5.5M2.5 2.5v3h3M8 5v3.2l2.2 1.3",
  question: "M6 6a2 2 0 1 1 2.8 1.8c-.6.3-.8.6-.8 1.2v.4M8 11.6v.2M8 1.8a6.2 6.2 0 1 0 0 12.4A6.2 6.2 0 0 0 8 1.8z",
  send: "M8 13V3M4 7l4-4 4 4",
  settings: "M2.5 4.5h5M10.5 4.5h3M9 3v3M2.5 11.5h3M8.5 11.5h5M7 10v3",
  terms: "M3 3h10M8 3v10M6 13h4M3 3v2M13 3v2",
  trash: "M3 4.5h10M6 4.5V3h4v1.5M4.5 4.5l.6 8.5h5.8l.6-8.5",
} as const;

export type IconName = keyof typeof icons;
