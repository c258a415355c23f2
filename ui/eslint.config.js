import svelte from "eslint-plugin-svelte";
import { defineConfig } from "eslint/config";
import ts from "typescript-eslint";
import svelteConfig from "./svelte.config.js";

export default defineConfig(
  { ignores: ["dist/", "node_modules/", "src/backend/bindings/"] },
  ts.configs.strict,
  svelte.configs.recommended,
  {
    files: ["**/*.svelte", "**/*.svelte.ts"],
    languageOptions: {
      parserOptions: { extraFileExtensions: [".svelte"], parser: ts.parser, svelteConfig },
    },
  },
  {
    rules: {
      "no-console": "error",
      eqeqeq: "error",
      "@typescript-eslint/no-unused-vars": ["error", { argsIgnorePattern: "^_", varsIgnorePattern: "^_" }],
      // State is replaced as a whole ($state.raw); a map that is mutated is nobody's to watch.
      "svelte/prefer-svelte-reactivity": "off",
      "svelte/no-at-html-tags": "error",
      "no-restricted-imports": [
        "error",
        { patterns: [{ group: ["@tauri-apps/*"], message: "Only backend/tauri.ts knows the host." }] },
      ],
    },
  },
  { files: ["src/backend/tauri.ts"], rules: { "no-restricted-imports": "off" } },
);
