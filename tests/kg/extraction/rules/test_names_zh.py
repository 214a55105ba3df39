from cliquerag.kg.extraction.rules.names_zh import ChineseNames


def names_of(*sentences: str) -> dict[str, str]:
    names = ChineseNames(sentences, {})
    return {name.name: name.type for sentence in sentences for name in names.find(sentence)}


def test_companies_end_at_their_suffix_and_begin_at_a_border():
    found = names_of("公司将向南通四方罐式储运设备制造有限公司增资,并与杰斯科(上海)食品机械科技有限公司合作。")
    assert found["南通四方罐式储运设备制造有限公司"] == "company"
    assert found["杰斯科(上海)食品机械科技有限公司"] == "company"


def test_words_for_companies_in_general_are_none():
    assert names_of("公司的全资子公司及上市公司均已开立银行账户,持有权益性证券。") == {}


def test_short_names_come_from_the_text():
    names = ChineseNames(["宁德时代新能源科技股份有限公司(以下简称“宁德时代”)成立。"], {})
    assert names.aliases == {"宁德时代": "宁德时代新能源科技股份有限公司"}
    assert names.find("宁德时代扩产。")[0].entity == "宁德时代新能源科技股份有限公司"


def test_people_roles_places_and_authorities():
    found = names_of("昨日,公司董事长李建国表示,中国证监会已受理,总部位于深圳。")
    assert found == {"董事长": "role", "李建国": "person", "中国证监会": "regulator", "深圳": "place"}


def test_a_bare_company_word_counts_only_in_a_list():
    assert "四方香港公司" in names_of("范围包含四方香港公司、四方星公司两家子公司。")
    assert "推动公司" not in names_of("不断推动公司发展。")


def test_who_stands_behind_an_office_and_a_colon():
    found = names_of("法定代表人：黄杰 主管会计工作负责人：黄华 会计机构负责人：黄华")
    assert (found.get("黄杰"), found.get("黄华")) == ("person", "person")


def test_the_ends_of_two_words_are_no_place():
    assert names_of("市场主要在欧美国家。") == {}
    assert names_of("市场主要在美国。") == {"美国": "place"}


def test_a_border_that_stands_inside_a_name_does_not_cut_it():
    found = names_of(
        "公司与中国信达资产管理股份有限公司、北京红杉投资管理有限公司签约。",
        "上海建设集团有限公司持有宁波泰和化工有限公司的股权。",
    )
    assert {name for name, kind in found.items() if kind == "company"} == {
        "中国信达资产管理股份有限公司",
        "北京红杉投资管理有限公司",
        "上海建设集团有限公司",
        "宁波泰和化工有限公司",
    }
    assert names_of("同意公司和科技有限公司合并。") == {}


def test_auditors_and_courts_by_the_ends_of_their_names():
    found = names_of("由天衡会计师事务所变更为立德会计师事务所。", "向深圳市中级人民法院起诉。")
    assert found == {"天衡会计师事务所": "company", "立德会计师事务所": "company", "深圳市中级人民法院": "regulator"}


def test_an_accounting_firm_that_a_heading_dismisses_is_none():
    assert names_of("审计期间改聘会计师事务所的情况说明,公司解聘会计师事务所的情况。") == {}
