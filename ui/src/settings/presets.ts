/** Services that speak the OpenAI protocol, with what their forms begin with. */

export interface Preset {
  id: string;
  name: string;
  baseUrl: string;
  model: string;
}

export const presets: readonly Preset[] = [
  { id: "openai", name: "OpenAI", baseUrl: "https://api.openai.com/v1", model: "gpt-5-mini" },
  { id: "openrouter", name: "OpenRouter", baseUrl: "https://openrouter.ai/api/v1", model: "" },
  { id: "deepseek", name: "DeepSeek", baseUrl: "https://api.deepseek.com/v1", model: "deepseek-chat" },
  { id: "qwen", name: "Qwen", baseUrl: "https://dashscope.aliyuncs.com/compatible-mode/v1", model: "qwen-plus" },
  { id: "kimi", name: "Kimi", baseUrl: "https://api.moonshot.cn/v1", model: "" },
  { id: "glm", name: "GLM", baseUrl: "https://open.bigmodel.cn/api/paas/v4", model: "" },
  {
    id: "gemini",
    name: "Gemini",
    baseUrl: "https://generativelanguage.googleapis.com/v1beta/openai",
    model: "gemini-2.5-flash",
  },
  { id: "mistral", name: "Mistral", baseUrl: "https://api.mistral.ai/v1", model: "mistral-small-latest" },
  { id: "groq", name: "Groq", baseUrl: "https://api.groq.com/openai/v1", model: "" },
  { id: "ollama", name: "Ollama", baseUrl: "http://127.0.0.1:11434/v1", model: "" },
  { id: "lmstudio", name: "LM Studio", baseUrl: "http://127.0.0.1:1234/v1", model: "" },
  { id: "jan", name: "Jan", baseUrl: "http://127.0.0.1:1337/v1", model: "" },
  { id: "llamacpp", name: "llama.cpp", baseUrl: "http://127.0.0.1:8080/v1", model: "default" },
  { id: "vllm", name: "vLLM", baseUrl: "http://127.0.0.1:8000/v1", model: "" },
  { id: "koboldcpp", name: "KoboldCpp", baseUrl: "http://127.0.0.1:5001/v1", model: "" },
];

/** Tells whether an address is on this machine. */
export function isLocal(baseUrl: string): boolean {
  return /^https?:\/\/(localhost|127\.[\d.]+|\[::1\])([:/]|$)/i.test(baseUrl);
}

/** Chooses the first model that writes text: those that only turn it into numbers say so in their names. */
export function firstForText(models: readonly string[]): string {
  return models.find((model) => !/embed|rerank|bge-/i.test(model)) ?? "";
}

/** Makes an id that none of `taken` is. */
export function freeId(wish: string, taken: readonly string[]): string {
  const base = wish.toLowerCase().replace(/[^a-z0-9]+/g, "-").replace(/^-|-$/g, "") || "provider";
  let id = base;
  for (let n = 2; taken.includes(id); n += 1) id = `${base}-${n}`;
  return id;
}
