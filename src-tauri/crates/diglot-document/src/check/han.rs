//! Chinese characters by their reform: simplified ones, traditional ones, and those that Japanese writes too.

use crate::LanguageTag;

/// Fewest characters of the other kind, and the share of all letters that they are at least: one of so many.
const FEWEST: (usize, usize) = (2, 12);

/// Frequent characters that only simplified Chinese writes.
const SIMPLIFIED: &str = "\
    产吨顷华众优伤伟侧储儿兑兴养军农冲况冻击创删则刚剂剑剧劝办务劳势协单卫厂厅历压厌变吓锁闪钮阀\
    这们个对时为说发经过还进开关门问间请让么样现应该认识话语读谁谢谈课调议论记讲许设证评词译试\
    诗误详员贝财责费资赛购贵钱铁银错键链镜长张车转轮软轻较输达运远连选边迟电网络线组织结给统继\
    续级纪约红绿编缩细终绝维总义书买卖东两严习飞马鸟鱼龙风页项顺须顾预题颜显饭饮馆驱验骑闭闻闲\
    阅队阳阴际陆难听启响园围圆场块坏壳处备复头夹夺奋妇妈宁实宠审宽导层岁岛带帮广庆库异弃录态忆\
    怀恶悬惊惯愿扩执扫护报拟择换损摇摆无晓暂术权极构标树桥档检欢毕气汉汤沟泪洁测济浏渐满滚灵灾\
    炼热爱牵犹环玛畅疗监盘盖码确离种积稳穷竞笔签简类粮紧纯纸罗罚职联肃肤胜脑脸节苏荐药营蓝虑虽\
    补见观规视觉览计订";

/// Frequent ones of simplified Chinese that Japanese writes as well.
const SIMPLIFIED_AND_JAPANESE: &str = "\
    乐双叶图声学战户来国会写当区";

/// Frequent characters that only traditional Chinese writes, though Japanese has some of them.
const TRADITIONAL: &str = "\
    這們個對時為說發經過還進開關門問間請讓麼樣現應該認識話語讀誰謝談課調議論記講許設證評詞譯試\
    詩誤詳員貝財責費資賽購貴錢鐵銀錯鍵鏈鏡長張車轉輪軟輕較輸達運遠連選邊遲電網絡線組織結給統繼\
    續級紀約紅綠編縮細終絕維總義書買賣東兩嚴樂習飛馬鳥魚龍風頁項順須顧預題顏顯飯飲館驅驗騎閉聞\
    閒閱隊陽陰際陸難雙葉聽啟響園圍圖圓場塊壞聲殼處備複頭夾奪奮婦媽學寧實寵審寬導層歲島帶幫廣慶\
    庫異棄錄態憶懷惡懸驚慣願戰戶擴執掃護報擬擇換損搖擺無曉暫術權極構標樹橋檔檢歡畢氣漢湯溝淚潔\
    測濟瀏漸滿滾靈災煉熱愛牽猶環瑪暢療監盤蓋碼確離種積穩窮競筆簽簡類糧緊純紙羅罰職聯肅膚勝腦臉\
    節蘇薦藥營藍慮雖補見觀規視覺覽計訂來國會寫當區儲裡與從";

/// Tells whether a text in Chinese characters is written for other readers than asked for.
pub(super) fn is_wrong(text: &str, asked: &LanguageTag) -> bool {
    let count = |known: &str| text.chars().filter(|c| known.contains(*c)).count();
    let simplified = count(SIMPLIFIED);
    let traditional = count(TRADITIONAL);
    let (foreign, own) = match asked.primary() {
        "zh" if asked.is_traditional() => {
            (simplified + count(SIMPLIFIED_AND_JAPANESE), traditional)
        }
        "zh" => (traditional, simplified),
        // Japanese hardly has a sentence without syllables of its own.
        "ja" => (
            simplified,
            text.chars()
                .filter(|c| matches!(c, '\u{3041}'..='\u{30FF}'))
                .count(),
        ),
        _ => return false,
    };
    let letters = text.chars().filter(|c| c.is_alphabetic()).count();
    foreign >= FEWEST.0 && foreign > own && foreign * FEWEST.1 >= letters
}
