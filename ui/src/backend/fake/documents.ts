/** Two documents with drafts: the folder that the in-memory twin has. */

import type { IssueView } from "../bindings/IssueView";
import type { UnitKindView } from "../bindings/UnitKindView";

export interface FakeUnit {
  kind: UnitKindView;
  source: string;
  draft: string;
  issues: IssueView[];
}

function unit(kind: UnitKindView, source: string, draft: string, issues: IssueView[] = []): FakeUnit {
  return { kind, source, draft, issues };
}

function issue(kind: IssueView["kind"], blocking: boolean, missing: string[]): IssueView {
  return { kind, blocking, missing, extra: [], suggestion: null, fingerprint: `${kind} ${missing.join(" ")}`, dismissed: false };
}

export const documents: Record<string, FakeUnit[]> = {
  "guide/intro.md": [
    unit("heading", "Getting started", "Primeiros passos"),
    unit("paragraph", "This guide shows how to set up the editor.", "Este guia mostra como configurar o editor."),
    unit("paragraph", "Open the file.", "Abra o ficheiro."),
    unit("paragraph", "Close the door.", "Feche a porta."),
    unit(
      "paragraph",
      "Press **Save** to keep your changes, or `Esc` to drop them.",
      "Prima **Guardar** para manter as alterações.",
      [issue("protected", true, ["`Esc`"]), issue("term", false, ["salvar"])],
    ),
    unit("paragraph", "The window opens.", "A janela abre."),
    unit("heading", "What you need", "O que você precisa"),
    unit("listItem", "A computer with 4 GB of memory", "Um computador com 4 GB de memória"),
    unit("listItem", "About 200 MB of free space", "Cerca de 200 MB de espaço livre"),
    unit("listItem", "A network connection for the first start", "Uma conexão de rede para a primeira inicialização"),
    unit("quote", "You can work without a network afterwards.", "Depois, você pode trabalhar sem rede."),
    unit("heading", "First steps", "Primeiros passos"),
    unit("paragraph", "Run `setup --fast` in the folder.", "Execute `setup --fast` na pasta."),
    unit("paragraph", "The form asks for a name and a language.", "O formulário pede um nome e um idioma."),
    unit(
      "paragraph",
      "See [the manual](manual.md) when something is unclear.",
      "Consulte [o manual](manual.md) quando algo não estiver claro.",
    ),
    unit("paragraph", "Your settings are kept in one file.", "As suas configurações ficam em um único arquivo."),
    unit("paragraph", "Nothing is sent without your consent.", "Nada é enviado sem o seu consentimento."),
    unit("paragraph", "Have a good time.", "Bom proveito."),
  ],
  "guide/usage.md": [
    unit("heading", "Every day", "Todos os dias"),
    unit("paragraph", "Start the program from the menu.", "Inicie o programa pelo menu."),
    unit("paragraph", "The list shows {count} files.", "A lista mostra {count} arquivos."),
    unit("paragraph", "Choose a file to see its history.", "Escolha um arquivo para ver o seu histórico."),
    unit("tableCell", "Key", "Tecla"),
    unit("tableCell", "What it does", "O que faz"),
    unit("tableCell", "Finds words", "Procura palavras"),
    unit("tableCell", "Opens the help", "Abre a ajuda"),
    unit("paragraph", "Two people can work in one folder.", "Duas pessoas podem trabalhar em uma pasta."),
    unit("paragraph", "Changes appear within a second.", "As alterações aparecem em um segundo."),
    unit("paragraph", "Close the window when you are done.", "Feche a janela quando terminar."),
    unit("paragraph", "Your work is saved.", "O seu trabalho está salvo."),
  ],
};
